import GRDB

/// The catalogue's tables and their migrations.
enum CatalogueSchema {
  /// All migrations. A published one never changes.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: assets and resources") { try $0.execute(sql: first) }
    migrator.registerMigration("2: words in the order of creation") { try $0.execute(sql: second) }
    migrator.registerMigration("3: indexes that answer alone") { try $0.execute(sql: third) }
    migrator.registerMigration("4: words of a change at once") { try $0.execute(sql: fourth) }
    migrator.registerMigration("5: albums of users") { try $0.execute(sql: fifth) }
    return migrator
  }

  private static let first = """
    CREATE TABLE position (
      one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL, offset INTEGER NOT NULL);
    INSERT INTO position VALUES (1, 0, 0);

    CREATE TABLE asset (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      mediaType INTEGER NOT NULL,
      created REAL NOT NULL,
      added REAL NOT NULL,
      modified REAL NOT NULL,
      trashed REAL,
      favorite INTEGER NOT NULL,
      latitude REAL, longitude REAL, altitude REAL,
      isProRes INTEGER NOT NULL,
      isRAW INTEGER NOT NULL,
      codec TEXT,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      frameRate REAL,
      duration REAL NOT NULL,
      size INTEGER NOT NULL,
      facts TEXT NOT NULL,
      text TEXT NOT NULL);
    CREATE INDEX assetCreated ON asset(created, id) WHERE trashed IS NULL;
    CREATE INDEX assetAdded ON asset(added, id) WHERE trashed IS NULL;
    CREATE INDEX assetType ON asset(mediaType, created, id) WHERE trashed IS NULL;
    CREATE INDEX assetFavorite ON asset(created, id) WHERE trashed IS NULL AND favorite;
    CREATE INDEX assetProRes ON asset(created, id) WHERE trashed IS NULL AND isProRes;
    CREATE INDEX assetRAW ON asset(created, id) WHERE trashed IS NULL AND isRAW;
    CREATE INDEX assetTrashed ON asset(trashed, id) WHERE trashed IS NOT NULL;

    CREATE TABLE resource (
      id INTEGER PRIMARY KEY,
      assetID INTEGER NOT NULL REFERENCES asset(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      type TEXT NOT NULL,
      path TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      uti TEXT NOT NULL,
      size INTEGER NOT NULL,
      hash TEXT NOT NULL,
      modified INTEGER NOT NULL);
    CREATE INDEX resourceAsset ON resource(assetID, position);
    CREATE INDEX resourceHash ON resource(hash, size);

    -- Files that are to go once the change that removed them is in.
    CREATE TABLE pendingUnlink (id INTEGER PRIMARY KEY, path TEXT NOT NULL, status TEXT NOT NULL);

    -- Three characters and more are found anywhere in a word.
    CREATE VIRTUAL TABLE assetText USING fts5(
      text, content='asset', content_rowid='id', tokenize='trigram', detail='none');
    CREATE TRIGGER assetTextInsert AFTER INSERT ON asset BEGIN
      INSERT INTO assetText(rowid, text) VALUES (new.id, new.text);
    END;
    CREATE TRIGGER assetTextDelete AFTER DELETE ON asset BEGIN
      INSERT INTO assetText(assetText, rowid, text) VALUES ('delete', old.id, old.text);
    END;
    """

  /// For searches with many hits: the words alone, in the order of the results.
  private static let second = """
    CREATE INDEX assetWords ON asset(created, id, text) WHERE trashed IS NULL;
    """

  /// Each index contains every column that a query uses, also those that its condition fixes
  /// (SQLite before 3.41 looks them up in the table), so the wide table is not read.
  private static let third = """
    DROP INDEX assetCreated;
    DROP INDEX assetAdded;
    DROP INDEX assetType;
    DROP INDEX assetFavorite;
    DROP INDEX assetProRes;
    DROP INDEX assetRAW;
    DROP INDEX assetWords;
    CREATE INDEX assetCreated ON asset(created, id, trashed) WHERE trashed IS NULL;
    CREATE INDEX assetAdded ON asset(added, id, trashed) WHERE trashed IS NULL;
    CREATE INDEX assetType ON asset(mediaType, created, id, trashed, width, duration, size)
      WHERE trashed IS NULL;
    CREATE INDEX assetFavorite ON asset(created, id, trashed, favorite)
      WHERE trashed IS NULL AND favorite;
    CREATE INDEX assetProRes ON asset(created, id, trashed, isProRes)
      WHERE trashed IS NULL AND isProRes;
    CREATE INDEX assetRAW ON asset(created, id, trashed, isRAW) WHERE trashed IS NULL AND isRAW;
    CREATE INDEX assetWords ON asset(created, id, trashed, text) WHERE trashed IS NULL;
    """
  /// FTS5 writes its index after every statement that touches it; a trigger would do so for each
  /// asset. The code that inserts assets adds their words in one statement.
  private static let fourth = """
    DROP TRIGGER assetTextInsert;
    """

  /// Deleted assets keep their positions in an album until they are expunged.
  private static let fifth = """
    CREATE TABLE album (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      created REAL NOT NULL,
      modified REAL NOT NULL);
    CREATE TABLE albumAsset (
      albumID INTEGER NOT NULL REFERENCES album(id) ON DELETE CASCADE,
      assetID INTEGER NOT NULL REFERENCES asset(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      PRIMARY KEY (albumID, assetID));
    CREATE INDEX albumAssetOrder ON albumAsset(albumID, position);
    CREATE INDEX albumAssetAsset ON albumAsset(assetID);
    """
}

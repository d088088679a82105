import MediaCore
import RecorderControl
import TakeReports

/// The network sees names of movies, but no folders.
extension RecorderEvent.FinishedTake {
  var withoutFolders: Self {
    var take = self
    take.path = path.lastPathPart
    take.movies = movies.map(\.lastPathPart)
    take.message = message.map { text in
      ([path] + movies).reduce(text) { $0.replacing($1, with: $1.lastPathPart) }.withoutPaths
    }
    return take
  }
}

extension RecorderStatus.Take {
  var withoutFolder: Self {
    var take = self
    take.path = path.lastPathPart
    return take
  }
}

extension RecordingProgress.LostPlace {
  var withoutFolder: Self {
    var place = self
    place.path = path.lastPathPart
    place.message = message?.replacing(path, with: place.path).withoutPaths
    return place
  }
}

extension RecorderStatus {
  var withoutFolders: Self {
    var status = self
    status.message = message?.withoutPaths
    status.take = take?.withoutFolder
    status.progress?.path = progress?.path?.lastPathPart
    status.progress?.lostPlace = progress?.lostPlace?.withoutFolder
    return status
  }
}

extension ChannelStatus {
  var withoutFolders: Self {
    var status = self
    status.message = message?.withoutPaths
    status.notes = notes.map(\.withoutPaths)
    status.flawedTake?.path = flawedTake?.path.lastPathPart ?? ""
    status.flawedTake?.message = flawedTake?.message?.withoutPaths
    status.recorder = recorder?.withoutFolders
    return status
  }
}

extension RecorderEvent {
  var withoutFolders: Self {
    var event = self
    event.message = message?.withoutPaths
    event.status = status?.withoutFolders
    event.take = take?.withoutFolder
    event.finished = finished?.withoutFolders
    event.saved?.movies = saved?.movies.map(\.lastPathPart) ?? []
    return event
  }
}

extension String {
  /// The part after the last slash.
  var lastPathPart: String { pathName }
}

import Foundation
import TestSupport
import Testing

/// Conversions in parts on NFS with the Linux server and client in the lab's virtual machine. Two mounts without a
/// shared cache stand in for two machines: `/mnt/a` with version 4.2, `/mnt/b` with version 3 and without locks.
/// Both give up on a silent server after some seconds (`soft`).
extension InLab {
  @Suite(
    .serialized, .enabled(if: NFSPrograms.arePresent, "NFS is missing: Debian's nfs-kernel-server"))
  struct JobsOnNFS {
    /// The scripts' preamble: sets up the server once, then makes a clip and a job of three parts.
    private static let words = """
      export PATH=$PATH:/usr/sbin:/sbin
      serve() { rpc.nfsd "$1"; }
      if [ ! -d /srv/nfs ]; then
        modprobe -a nfsd nfs nfsv4 nfsv3
        mkdir -p /srv/nfs /mnt/a /mnt/b /run/rpcbind /var/lib/nfs/rpc_pipefs /var/lib/nfs/v4recovery
        mount -t tmpfs -o size=300m tmpfs /srv/nfs
        mount -t nfsd nfsd /proc/fs/nfsd
        mount -t rpc_pipefs rpc_pipefs /var/lib/nfs/rpc_pipefs
        ip link set lo up
        rpcbind -w
        exportfs -o rw,no_root_squash,insecure,fsid=0,no_subtree_check 127.0.0.1:/srv/nfs
        rpc.mountd
        echo 10 >/proc/fs/nfsd/nfsv4leasetime
        serve 4
        soft=soft,timeo=20,retrans=1,nosharecache
        mount -t nfs -o vers=4.2,$soft 127.0.0.1:/ /mnt/a
        mount -t nfs -o vers=3,nolock,$soft 127.0.0.1:/srv/nfs /mnt/b
        # The first lock waits until the server's time of grace is over.
        flock /mnt/a/lock true
      fi
      mount | grep -q '/mnt/a type nfs4' && mount | grep -q '/mnt/b type nfs ' || { mount; exit 1; }
      plan() {
        "$R" encode plan clip.mov -o "$1" --parts 3 --restart 5 --codec proxy || exit 1
      }
      # makes STATUS ARGUMENT...: a call and the status that it must end with.
      makes() {
        local wanted=$1 status
        shift
        "$R" encode "$@" >made 2>&1
        status=$?
        cat made
        [ $status = $wanted ] || { echo "$*: $status, not $wanted"; exit 1; }
      }
      whole() {
        [ -e /tmp/whole/movies/clip.mov ] && return
        plan /tmp/whole
        makes 0 part /tmp/whole 0-2
        makes 0 join /tmp/whole
      }
      """

    private func run(_ script: String) async throws -> String {
      let machine = try #require(LabGuest.machine)
      let clip = machine.share + "/clip.mov"
      if !FileManager.default.fileExists(atPath: clip) {
        _ = try Judges.ffmpeg(
          "-f lavfi -i testsrc2=s=192x128:r=25:d=0.6 -f lavfi -i sine=440:d=0.6 -pix_fmt "
            + "yuv422p10le -c:v prores_ks -profile:v 0 -c:a pcm_s16le \(clip)")
      }
      return try await LabGuest.run(Self.words + "\n" + script)
    }

    @Test func two_machines_on_the_same_parts_make_the_same_movie() async throws {
      let text = try await run(
        """
        plan /mnt/a/two
        "$R" encode part /mnt/a/two 0-2 >one 2>&1 & first=$!
        "$R" encode part /mnt/b/two 0-2 >two 2>&1 & second=$!
        wait $first; a=$?
        wait $second; b=$?
        cat one two
        [ $a = 0 ] && [ $b = 0 ] || exit 1
        makes 0 join /mnt/b/two
        whole
        # On the server: the other machine may not see it for a minute, by its cache of names.
        cmp /srv/nfs/two/movies/clip.mov /tmp/whole/movies/clip.mov || exit 1
        ls -A /srv/nfs/two/parts
        """)
      #expect(text.hasSuffix("000000\n000001\n000002\n"), "\(text)")
    }

    @Test func an_unreachable_or_full_server_causes_no_loss() async throws {
      let text = try await run(
        """
        plan /mnt/a/away
        makes 0 part /mnt/a/away 0
        serve 0
        makes 75 part /mnt/b/away 1
        serve 4
        flock /mnt/a/lock true
        makes 0 part /mnt/b/away 1
        fill=$(($(df --output=avail -B1 /srv/nfs | tail -n 1) - 20000))
        fallocate -l $fill /srv/nfs/filler
        makes 75 part /mnt/a/away 2
        rm /srv/nfs/filler
        makes 0 part /mnt/a/away 0-2
        makes 0 join /mnt/a/away
        whole
        cmp /mnt/a/away/movies/clip.mov /tmp/whole/movies/clip.mov || exit 1
        """)
      #expect(text.contains("part 0: is there") && text.contains("No space left"), "\(text)")
    }
  }
}

/// The programs of Debian's nfs-kernel-server.
private enum NFSPrograms {
  static let arePresent = ["rpc.nfsd", "rpc.mountd", "exportfs", "mount.nfs", "rpcbind"]
    .allSatisfy { name in
      ["/usr/sbin/", "/sbin/"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + name)
      }
    }
}

import Foundation
import TestSupport
import Testing

/// Parts made on several nodes, isolated from each other as far as the kernel allows: `Lab/cluster`.
@Suite(
  .enabled(if: TestRun.isThorough, "runs with TEST_ALL=1"),
  .enabled(if: Judges.arePresent, Judges.absence),
  .enabled(if: getuid() == 0, "network namespaces require root"),
  .tags(.slow, .judges), .serialized)
struct EncodeClusterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Inputs of twenty kinds, as FFmpeg arguments.
  private static let clips = [
    "open.mp4":
      "-f lavfi -i testsrc2=s=320x180:r=25:d=4 -f lavfi -i sine=440:d=4 -c:v libx264 -preset "
      + "ultrafast -bf 2 -g 24 -x264-params open-gop=1 -c:a aac",
    "fields.mpg":
      "-f lavfi -i testsrc2=s=720x576:r=25:d=3 -vf setfield=tff -c:v mpeg2video -flags +ildct+ilme "
      + "-bf 2 -g 12 -b:v 8M",
    "prores.mov": "-f lavfi -i testsrc2=s=1280x720:r=25:d=2 -c:v prores_ks -profile:v 3",
    "varying.mp4":
      "-f lavfi -i testsrc2=s=320x180:r=30:d=4 -vf select=not(eq(mod(n\\,7)\\,3)) -fps_mode vfr "
      + "-c:v libx264 -preset ultrafast",
    "dv.mov":
      "-f lavfi -i testsrc2=s=720x576:r=25:d=3 -f lavfi -i sine=300:r=48000:d=3 -pix_fmt yuv420p "
      + "-c:v dvvideo -ac 2 -c:a pcm_s16le",
    "ffv1.mkv":
      "-f lavfi -i testsrc2=s=640x360:r=24000/1001:d=3 -pix_fmt yuv422p10le -c:v ffv1",
    "motion.avi": "-f lavfi -i testsrc2=s=640x360:r=30:d=3 -pix_fmt yuvj422p -c:v mjpeg -q:v 3",
    "alpha.mov": "-f lavfi -i testsrc2=s=640x360:r=25:d=2 -pix_fmt yuva444p10le -c:v prores_ks "
      + "-profile:v 4",
    "detail.mp4":
      "-f lavfi -i mandelbrot=s=1280x720:r=25 -t 6 -c:v libx264 -preset ultrafast",
    "leading.mkv":
      "-f lavfi -i testsrc2=s=320x180:r=24000/1001:d=4 -pix_fmt yuv420p10le -c:v libx265 -preset "
      + "ultrafast -x265-params log-level=none:open-gop=1:keyint=24:bframes=3",
    "web.webm":
      "-f lavfi -i testsrc2=s=320x180:r=30:d=3 -f lavfi -i sine=500:d=3 -c:v libvpx-vp9 -deadline "
      + "realtime -cpu-used 8 -g 30 -c:a libopus",
    "av1.mp4": "-f lavfi -i testsrc2=s=320x180:r=25:d=3 -c:v libsvtav1 -preset 12 -g 25",
    "asp.mp4": "-f lavfi -i testsrc2=s=320x240:r=25:d=3 -c:v mpeg4 -bf 2 -g 20",
    "air.ts":
      "-f lavfi -i testsrc2=s=720x576:r=25:d=3 -f lavfi -i sine=600:d=3 -vf setfield=tff -c:v "
      + "libx264 -preset ultrafast -flags +ildct+ilme -x264-params tff=1:bframes=2 -g 25 -c:a mp2",
    "dnx.mxf":
      "-f lavfi -i testsrc2=s=640x360:r=25:d=2 -pix_fmt yuv422p -c:v dnxhd -profile:v dnxhr_hq",
    "broadcast.mxf":
      "-f lavfi -i testsrc2=s=720x576:r=25:d=3 -f lavfi -i sine=700:r=48000:d=3 -pix_fmt yuv422p "
      + "-c:v mpeg2video -bf 2 -g 12 -b:v 10M -c:a pcm_s16le",
    "lossless.avi": "-f lavfi -i testsrc2=s=640x360:r=25:d=2 -pix_fmt yuv422p -c:v utvideo",
    "plain.y4m": "-f lavfi -i testsrc2=s=320x180:r=50:d=2 -pix_fmt yuv422p -f yuv4mpegpipe",
    "upright.mov":
      "-f lavfi -i testsrc2=s=320x180:r=30:d=3 -c:v libx264 -preset ultrafast -g 30 -metadata:s:v "
      + "rotate=90",
    "timecode.mov":
      "-f lavfi -i testsrc2=s=640x360:r=30000/1001:d=3 -f lavfi -i anoisesrc=r=48000:d=3 -c:v "
      + "prores_ks -profile:v 0 -timecode 00:59:58;00 -c:a pcm_s24le",
  ]

  /// Runs a `Lab/cluster` script on three nodes.
  private func run(_ script: String, within engine: String, variables: [String: String]) throws {
    for program in ["unshare", "nsenter", "ip"] where Judges.find(program) == nil {
      try Test.cancel("\(program) is not installed")
    }
    guard try Command.run("unshare", ["--net", "--mount", "--pid", "--fork", "true"]).status == 0
    else { try Test.cancel("this machine cannot create namespaces") }
    try folder.makeFolder("clips")
    for (name, arguments) in Self.clips {
      try Judges.ffmpeg("\(arguments) \(folder.path("clips/\(name)"))")
    }
    let cluster = Lab.folder + "/cluster"
    let engines = URL(filePath: Lab.folder).deletingLastPathComponent()
      .appending(path: "presets/engines").path
    let inherited = ProcessInfo.processInfo.environment
    let path = [Recordctl.binary.deletingLastPathComponent().path, inherited["PATH"] ?? ""]
    let result = try Command.run(
      cluster + "/cluster",
      [
        folder.path("lab"), "3", cluster + "/" + engine, "3", cluster + "/" + script,
        folder.path("clips"), engines,
      ],
      environment: inherited.merging(
        ["PATH": path.joined(separator: ":")].merging(variables) { $1 }
      ) { $1 },
      limit: 900)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("the same, byte for byte"))
  }

  @Test func slurm_makes_identical_movies_on_failing_nodes() throws {
    for program in ["slurmctld", "slurmd", "sbatch", "munged"] where Judges.find(program) == nil {
      try Test.cancel("\(program) is missing; Debian's slurmctld, slurmd, slurm-client and munge")
    }
    try run(
      "slurm-parts", within: "with-slurm",
      variables: [
        "slurm_lines": """
        MaxArraySize=16
        PreemptType=preempt/partition_prio
        PreemptMode=REQUEUE
        PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=60 State=UP
        PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=60 State=UP
        """
      ])
  }

  /// If sshd is missing, fetches one without installing it.
  private func fetchedServer() throws -> [String: String] {
    if FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd") { return [:] }
    guard Judges.find("apt-get") != nil else {
      try Test.cancel("sshd is missing, as is apt-get to fetch it")
    }
    try folder.makeFolder("server")
    let fetched = try Command.run(Lab.folder + "/cluster/fetch-sshd", [folder.path("server")])
    guard fetched.status == 0 else {
      try Test.cancel("sshd is missing and could not be fetched: \(fetched.errors)")
    }
    return ["fetched_server": folder.path("server")]
  }

  @Test func gnu_parallel_makes_identical_movies_despite_a_dying_node() throws {
    for program in ["parallel", "ssh"] where Judges.find(program) == nil {
      try Test.cancel("\(program) is not installed")
    }
    try run("parallel-parts", within: "with-ssh", variables: try fetchedServer())
  }
}

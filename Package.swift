// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// CI turns every warning into an error; a newer compiler must not break a user's build.
let warnings: [SwiftSetting] =
  ProcessInfo.processInfo.environment["WARNINGS_AS_ERRORS"] == nil
  ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + warnings

/// Set by `scripts/run-tests`, which needs the modules that compute most compiled as for a release: the tests compute
/// thousands of frames. Packages that others depend on may not pass such flags.
let isOptimized = ProcessInfo.processInfo.environment["OPTIMIZED_KERNELS"] != nil
let kernelSettings: [CSetting] =
  isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []
let computingSettings: [SwiftSetting] =
  settings + (isOptimized ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])

/// The gateway's TLS includes BoringSSL, which takes minutes to compile: `scripts/run-tests` omits it unless
/// all tests run.
let hasTLS = ProcessInfo.processInfo.environment["WITHOUT_TLS"] == nil
let security: [Target.Dependency] =
  hasTLS ? [.product(name: "NIOSSL", package: "swift-nio-ssl")] : []

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
/// TCP and UDP for control protocols; the command does not link them.
let network: [Target.Dependency] = [
  .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
  system,
]

let package = Package(
  name: "prores-recorder",
  products: [
    .library(name: "MediaCore", targets: ["MediaCore"]),
    .library(name: "ProRes", targets: ["ProRes"]),
    .library(name: "QuickTime", targets: ["QuickTime"]),
    .library(name: "AssetReader", targets: ["AssetReader"]),
    .library(name: "AssetWriter", targets: ["AssetWriter"]),
    .library(name: "CaptureDevices", targets: ["CaptureDevices"]),
    .library(name: "VideoRecorder", targets: ["VideoRecorder"]),
    .library(name: "Takes", targets: ["Takes"]),
    .library(name: "Monitor", targets: ["Monitor"]),
    .library(name: "RecorderControl", targets: ["RecorderControl"]),
    .library(name: "HyperDeck", targets: ["HyperDeck"]),
    .library(name: "OSC", targets: ["OSC"]),
    .library(name: "RecorderService", targets: ["RecorderService"]),
    .library(name: "MovieExport", targets: ["MovieExport"]),
    .library(name: "MovieTools", targets: ["MovieTools"]),
    .library(name: "EncodeJobs", targets: ["EncodeJobs"]),
    .library(name: "ASCMHL", targets: ["ASCMHL"]),
    .library(name: "ObjectStorage", targets: ["ObjectStorage"]),
    .library(name: "MediaLibrary", targets: ["MediaLibrary"]),
    .library(name: "DNG", targets: ["DNG"]),
    .library(name: "RawDevelop", targets: ["RawDevelop"]),
    .library(name: "ImageFiles", targets: ["ImageFiles"]),
    .library(name: "RawPhoto", targets: ["RawPhoto"]),
    .library(name: "PhotoDevelopment", targets: ["PhotoDevelopment"]),
    .library(name: "AVFoundationCompat", targets: ["AVFoundationCompat"]),
    .executable(name: "recordctl", targets: ["recordctl"]),
    .executable(name: "recordctl-serve", targets: ["recordctl-serve"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .target(name: "MediaCore", dependencies: ["CLinux", system], swiftSettings: computingSettings),
    .target(name: "CProResKernels", cSettings: kernelSettings),
    .target(
      name: "ProRes", dependencies: ["MediaCore", "CProResKernels"],
      swiftSettings: computingSettings),
    .target(
      name: "QuickTime", dependencies: ["MediaCore", "CLinux", "CXXHash", system],
      swiftSettings: settings),

    .systemLibrary(
      name: "CFFmpeg",
      pkgConfig: "libavutil libswscale libswresample",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev",
          "libswresample-dev",
        ])
      ]),
    // Compiled with the headers of libavformat, libavcodec and libavfilter, but not linked with them.
    .target(name: "CLateCalls"),
    .target(name: "CLibav", dependencies: ["CLateCalls", "CFFmpeg"]),
    .target(name: "CAVFilter", dependencies: ["CLateCalls", "CFFmpeg"]),
    .systemLibrary(name: "CVideo4Linux", pkgConfig: "libv4l2", providers: [.apt(["libv4l-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),

    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // Compiled with the headers of libheif-dev, libavif-dev and libjxl-dev, but not linked with these libraries.
    .target(name: "CHEIF", dependencies: ["CLateCalls"]),
    .target(name: "CAVIF", dependencies: ["CLateCalls"]),
    .target(name: "CJXL", dependencies: ["CLateCalls"]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Compiled with libpng's headers (libpng-dev).
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png16")]),
    .target(name: "CRawKernels", cSettings: kernelSettings),
    .target(name: "TIFF", swiftSettings: settings),
    .target(
      name: "DNG",
      dependencies: ["MediaCore", "TIFF", "CRawKernels", "CTurboJPEG", "CJXL", "CZlib"],
      swiftSettings: settings),

    .target(
      name: "AssetReader",
      dependencies: [
        "MediaCore", "ProRes", "QuickTime", "TIFF", "CFFmpeg", "CLibav", "CAVFilter", system,
      ],
      swiftSettings: settings),
    .target(
      name: "AssetWriter",
      dependencies: ["MediaCore", "ProRes", "QuickTime", "CFFmpeg", "CLibav", system],
      swiftSettings: settings),
    .target(name: "XMLSyntax", dependencies: ["CExpat"], swiftSettings: settings),
    .target(
      name: "TOMLSyntax", dependencies: [.product(name: "TOMLKit", package: "TOMLKit")],
      swiftSettings: settings),
    .target(name: "TestPattern", dependencies: ["MediaCore"], swiftSettings: computingSettings),
    // Compiled with libebur128's headers (libebur128-dev), but not linked with it.
    .target(name: "CLoudness", dependencies: ["CLateCalls"]),
    .target(name: "CMonitorKernels", cSettings: kernelSettings),
    .target(
      name: "Monitor", dependencies: ["MediaCore", "CLoudness", "CMonitorKernels"],
      swiftSettings: computingSettings),
    .target(
      name: "CaptureDevices",
      dependencies: [
        "MediaCore", "QuickTime", "AssetReader", "TestPattern", "CFFmpeg", "CVideo4Linux", "CALSA",
        "CLinux", "CRawKernels", system,
      ], swiftSettings: settings),
    .target(
      name: "TakeReports",
      dependencies: ["MediaCore", "QuickTime", "AssetWriter", "CaptureDevices", "CLinux", system],
      swiftSettings: settings),
    .target(
      name: "VideoRecorder",
      dependencies: [
        "MediaCore", "ProRes", "QuickTime", "AssetWriter", "TestPattern", "CaptureDevices",
        "TakeReports", "CFFmpeg", "CLibav", "CLinux", system,
      ], swiftSettings: settings),
    .target(
      name: "Takes",
      dependencies: [
        "MediaCore", "ProRes", "QuickTime", "AssetReader", "AssetWriter", "TOMLSyntax",
        "CaptureDevices", "TakeReports", "VideoRecorder", "CLinux", system,
        .product(name: "TOMLKit", package: "TOMLKit"),
      ], swiftSettings: settings, plugins: ["EmbedPresets"]),
    .target(
      name: "RecorderControl",
      dependencies: [
        "MediaCore", "AssetWriter", "Monitor", "CaptureDevices", "TakeReports", "VideoRecorder",
        "Takes", "CLinux", system,
      ], swiftSettings: settings),
    .target(
      name: "RecorderServer", dependencies: ["RecorderControl"] + network, swiftSettings: settings),
    .target(
      name: "HyperDeck",
      dependencies: ["MediaCore", "TakeReports", "Takes", "RecorderControl", "RecorderServer"]
        + network,
      swiftSettings: settings),
    .target(
      name: "OSC",
      dependencies: ["MediaCore", "TakeReports", "Takes", "RecorderControl", "RecorderServer"]
        + network,
      swiftSettings: settings),
    .target(
      name: "MovieExport",
      dependencies: [
        "MediaCore", "ProRes", "QuickTime", "AssetReader", "AssetWriter", "CaptureDevices",
        "TakeReports", "VideoRecorder", "Takes", "CFFmpeg", "CLinux", system,
      ], swiftSettings: settings),
    .target(
      name: "MovieTools",
      dependencies: [
        "MediaCore", "ProRes", "QuickTime", "AssetReader", "AssetWriter", "TestPattern",
        "CaptureDevices", "TakeReports", "VideoRecorder", "Takes", "CLinux", system,
      ], swiftSettings: settings),
    .target(
      name: "EncodeJobs",
      dependencies: [
        "MediaCore", "ProRes", "QuickTime", "AssetReader", "AssetWriter", "CaptureDevices",
        "TakeReports", "MovieExport", "MovieTools", "CFFmpeg", "CLinux", system,
      ], swiftSettings: settings),
    .target(
      name: "RecorderService",
      dependencies: [
        "MediaCore", "Monitor", "QuickTime", "AssetReader", "CaptureDevices", "TakeReports",
        "Takes", "RecorderControl", "HyperDeck", "OSC", "CTurboJPEG", "CZlib", "CLinux", system,
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
      ] + security, exclude: ["Page"],
      swiftSettings: settings + (hasTLS ? [.define("TLS")] : []), plugins: ["EmbedPage"]),
    .plugin(name: "EmbedPage", capability: .buildTool()),
    .plugin(name: "EmbedPresets", capability: .buildTool()),
    .systemLibrary(name: "CHaru", providers: [.apt(["libhpdf-dev"])]),
    .target(
      name: "ASCMHL",
      dependencies: ["MediaCore", "XMLSyntax", "CFFmpeg", "CLinux", "CXXHash", system],
      swiftSettings: settings),
    // Compiled with libcurl's headers (libcurl4-openssl-dev), but not linked with it.
    .target(name: "CCurl", dependencies: ["CLateCalls"]),
    .target(
      name: "ObjectStorage",
      dependencies: ["ASCMHL", "MediaCore", "XMLSyntax", "CCurl", "CFFmpeg", "CLinux", system],
      swiftSettings: settings),
    .target(
      name: "CCatalogue",
      linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("xxhash")]),
    .target(
      name: "MediaLibrary",
      dependencies: [
        "ASCMHL", "ObjectStorage", "MediaCore", "TIFF", "QuickTime", "AssetReader", "CCatalogue",
        "CFFmpeg", "CHaru", "CXXHash", "CLinux", system,
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ], swiftSettings: settings),
    .target(
      name: "RawPhoto",
      dependencies: [
        "MediaCore", "TOMLSyntax", "CaptureDevices", "VideoRecorder", "DNG", "RawDevelop",
        "ImageFiles", "CRawKernels", system,
        .product(name: "TOMLKit", package: "TOMLKit"),
      ], swiftSettings: settings),
    .target(
      name: "RawDevelop", dependencies: ["MediaCore", "DNG", "CRawKernels"],
      swiftSettings: settings),
    .target(
      name: "ImageFiles",
      dependencies: [
        "MediaCore", "TIFF", "DNG", "RawDevelop", "CLinux", "CTurboJPEG", "CHEIF", "CAVIF", "CJXL",
        "CPNG", "CZlib", system,
      ], swiftSettings: settings),
    .target(
      name: "PhotoDevelopment",
      dependencies: [
        "MediaCore", "TOMLSyntax", "DNG", "RawDevelop", "ImageFiles", "XMLSyntax",
        .product(name: "TOMLKit", package: "TOMLKit"),
      ], swiftSettings: settings, plugins: ["EmbedPresets"]),
    .target(
      name: "AVFoundationCompat",
      dependencies: [
        "MediaCore", "TIFF", "QuickTime", "AssetReader", "AssetWriter", "CaptureDevices",
        "TakeReports", "VideoRecorder", "MovieExport", "DNG", "RawDevelop", "ImageFiles",
        "RawPhoto", "PhotoDevelopment", "MediaLibrary", system,
      ], swiftSettings: settings),
    .target(name: "CSignals"),
    .executableTarget(
      name: "recordctl",
      dependencies: [
        "CSignals", "MediaCore", "ProRes", "QuickTime", "AssetReader", "AssetWriter",
        "CaptureDevices", "TakeReports", "VideoRecorder", "Takes", "Monitor", "RecorderControl",
        "MovieExport", "MovieTools", "EncodeJobs", "DNG", "RawPhoto", "RawDevelop", "ImageFiles",
        "PhotoDevelopment", "ASCMHL", "ObjectStorage", "MediaLibrary", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),

    .executableTarget(
      name: "recordctl-serve",
      dependencies: [
        "CSignals", "MediaCore", "Takes", "RecorderControl", "RecorderService", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: settings),

    .executableTarget(
      name: "append-samples", dependencies: ["AssetWriter", "MediaCore"],
      path: "docs/examples/AppendSamples", swiftSettings: settings),

    .executableTarget(
      name: "record-take", dependencies: ["VideoRecorder", "AssetWriter", "MediaCore"],
      path: "docs/examples/RecordTake", swiftSettings: settings),

    .executableTarget(
      name: "select-format", dependencies: ["VideoRecorder", "MediaCore"],
      path: "docs/examples/SelectFormat", swiftSettings: settings),

    .executableTarget(
      name: "technote-recorder", dependencies: ["AVFoundationCompat"],
      path: "docs/examples/TechnoteRecorder", swiftSettings: settings),

    .executableTarget(
      name: "edit-raw", dependencies: ["AVFoundationCompat"],
      path: "docs/examples/EditRAW", swiftSettings: settings),

    .executableTarget(
      name: "ported-programs", dependencies: ["AVFoundationCompat"],
      path: "Tests/AVFoundationCompatTests/Programs", swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["MediaCore"], path: "Tests/TestSupport",
      resources: [
        .copy("DNG/judge_dng.py"), .copy("DNG/render_dng.py"), .copy("Pictures/judge_pictures.py"),
      ], swiftSettings: settings),
    .target(
      name: "CaptureTestSupport",
      dependencies: [
        "MediaCore", "AssetWriter", "CaptureDevices", "TakeReports", "VideoRecorder", "TestSupport",
      ], path: "Tests/CaptureTestSupport", swiftSettings: settings),
    .testTarget(name: "ArchitectureTests", swiftSettings: settings),
    .testTarget(
      name: "MediaCoreTests", dependencies: ["MediaCore", "TestSupport", system],
      swiftSettings: settings),
    .testTarget(
      name: "ProResTests", dependencies: ["ProRes", "MediaCore", "CProResKernels", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QuickTimeTests",
      dependencies: ["QuickTime", "MediaCore", "CLinux", system, "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AssetReaderTests",
      dependencies: [
        "AssetReader", "QuickTime", "ProRes", "MediaCore", "CFFmpeg", "TestSupport", system,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AssetWriterTests",
      dependencies: [
        "AssetWriter", "QuickTime", "ProRes", "MediaCore", "append-samples",
        "TestSupport", system,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TestPatternTests", dependencies: ["TestPattern", "MediaCore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MonitorTests", dependencies: ["Monitor", "TestPattern", "MediaCore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CaptureDevicesTests",
      dependencies: [
        "CaptureDevices", "TestPattern", "TakeReports", "VideoRecorder", "MovieTools", "QuickTime",
        "MediaCore", "CVideo4Linux", system, "TestSupport", "CaptureTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TakeReportsTests",
      dependencies: [
        "TakeReports", "CaptureDevices", "AssetWriter", "QuickTime", "MediaCore", "TestSupport",
        system,
      ],
      resources: [.copy("Version1")], swiftSettings: settings),
    .testTarget(
      name: "VideoRecorderTests",
      dependencies: [
        "VideoRecorder", "TestPattern", "CaptureDevices", "TakeReports", "MovieTools",
        "AssetWriter", "QuickTime", "MediaCore", "TestSupport", "CaptureTestSupport",
        "record-take", "select-format",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TakesTests",
      dependencies: [
        "Takes", "AssetWriter", "CaptureDevices", "TakeReports", "VideoRecorder", "QuickTime",
        "MediaCore", "TestSupport", "CaptureTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RecorderControlTests",
      dependencies: [
        "RecorderControl", "Monitor", "Takes", "TakeReports", "CaptureDevices", "AssetWriter",
        "QuickTime", "MediaCore", "TestSupport", "CaptureTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HyperDeckTests",
      dependencies: [
        "HyperDeck", "RecorderControl", "TakeReports", "Takes", "MediaCore", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OSCTests",
      dependencies: ["OSC", "RecorderControl", "TakeReports", "Takes", "MediaCore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MovieExportTests",
      dependencies: [
        "MovieExport", "VideoRecorder", "CaptureDevices", "AssetReader", "AssetWriter", "QuickTime",
        "MediaCore", system, "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MovieToolsTests",
      dependencies: [
        "MovieTools", "Takes", "VideoRecorder", "AssetReader", "AssetWriter", "QuickTime", "ProRes",
        "MediaCore", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EncodeJobsTests",
      dependencies: [
        "EncodeJobs", "MovieExport", "MovieTools", "AssetReader", "AssetWriter", "QuickTime",
        "MediaCore", system, "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RecorderServiceTests",
      dependencies: [
        "RecorderService", "recordctl-serve", "RecorderControl", "MovieTools", "Monitor",
        "TakeReports", "Takes", "MediaCore", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("drive_page.py"), .copy("play_gateway.py"), .copy("played_gateway.py")],
      swiftSettings: settings),
    .testTarget(
      name: "XMLSyntaxTests", dependencies: ["XMLSyntax"], swiftSettings: settings),
    .testTarget(
      name: "ASCMHLTests", dependencies: ["ASCMHL", "MediaCore", "TestSupport", system],
      swiftSettings: settings),
    .testTarget(
      name: "ObjectStorageTests",
      dependencies: ["ObjectStorage", "ASCMHL", "CCurl", "MediaCore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MediaLibraryTests",
      dependencies: [
        "MediaLibrary", "ObjectStorage", "QuickTime", "MediaCore", "TestSupport", system,
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(name: "TIFFTests", dependencies: ["TIFF"], swiftSettings: settings),
    .testTarget(
      name: "DNGTests",
      dependencies: ["DNG", "TIFF", "MediaCore", "CRawKernels", "CZlib", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RawDevelopTests",
      dependencies: ["RawDevelop", "DNG", "TIFF", "MediaCore", "CRawKernels", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ImageFilesTests",
      dependencies: [
        "ImageFiles", "RawDevelop", "DNG", "TIFF", "MediaCore", "TestSupport", system,
      ], swiftSettings: settings),
    .testTarget(
      name: "PhotoDevelopmentTests",
      dependencies: [
        "PhotoDevelopment", "ImageFiles", "RawDevelop", "DNG", "TIFF", "MediaCore",
        "TestSupport", "XMLSyntax",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RawPhotoTests",
      dependencies: [
        "RawPhoto", "DNG", "RawDevelop", "ImageFiles", "TIFF", "CaptureDevices", "VideoRecorder",
        "MediaCore", "TestSupport", system,
      ], swiftSettings: settings),
    .testTarget(
      name: "AVFoundationCompatTests",
      dependencies: [
        "AVFoundationCompat", "AssetReader", "ImageFiles", "technote-recorder",
        "edit-raw", "ported-programs", "TestSupport", system,
      ],
      exclude: ["Programs"],
      swiftSettings: settings),
    .testTarget(
      name: "CoreMediaTests", dependencies: ["AVFoundationCompat", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AVFoundationAssetTests",
      dependencies: [
        "AVFoundationCompat", "AssetReader", "ImageFiles", "QuickTime", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "CSignalsTests", dependencies: ["CSignals", "recordctl"], swiftSettings: settings),
    .testTarget(
      name: "recordctlTests",
      dependencies: [
        "recordctl", "CaptureDevices", "TakeReports", "VideoRecorder", "Takes",
        "Monitor", "RecorderControl", "MovieExport", "MovieTools", "EncodeJobs", "ObjectStorage",
        "MediaLibrary", "QuickTime",
        "DNG", "RawPhoto", "ProRes", "MediaCore", "AssetWriter", system, "TestSupport",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Only building the documentation needs the plugin: `make docs` sets DOCS.
if ProcessInfo.processInfo.environment["DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}

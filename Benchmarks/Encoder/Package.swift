// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "encoder-benchmarks",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
    .systemLibrary(
      name: "CLibavcodec", pkgConfig: "libavcodec libavutil",
      providers: [.apt(["libavcodec-dev", "libavutil-dev"])]),
    .target(name: "CLibavDecoder", dependencies: ["CLibavcodec"]),
    .executableTarget(
      name: "decoder-bench",
      dependencies: [
        "CLibavDecoder",
        .product(name: "ProRes", package: "prores-recorder"),
        .product(name: "MediaCore", package: "prores-recorder"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
    .executableTarget(
      name: "prores-bench",
      dependencies: [
        .product(name: "ProRes", package: "prores-recorder"),
        .product(name: "MediaCore", package: "prores-recorder"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "raw-photo-benchmark",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
    .executableTarget(
      name: "raw-photo",
      dependencies: [
        .product(name: "DNG", package: "prores-recorder"),
        .product(name: "RawPhoto", package: "prores-recorder"),
        .product(name: "VideoRecorder", package: "prores-recorder"),
        .product(name: "MediaCore", package: "prores-recorder"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

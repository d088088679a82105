// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "soak",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
    .target(name: "HeapUse"),
    .executableTarget(
      name: "sync-hour",
      dependencies: [
        .product(name: "MediaCore", package: "prores-recorder"),
        .product(name: "VideoRecorder", package: "prores-recorder"),
        .product(name: "Takes", package: "prores-recorder"),
        .product(name: "MovieTools", package: "prores-recorder"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "soak",
      dependencies: [
        "HeapUse",
        .product(name: "MediaCore", package: "prores-recorder"),
        .product(name: "VideoRecorder", package: "prores-recorder"),
        .product(name: "Takes", package: "prores-recorder"),
        .product(name: "MovieTools", package: "prores-recorder"),
      ], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "take-loss",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
    .systemLibrary(name: "LibAV", pkgConfig: "libavformat libavcodec libavutil"),
    .target(name: "Judge", dependencies: ["LibAV"]),
    .executableTarget(
      name: "take-loss",
      dependencies: [
        "Judge",
        .product(name: "MediaCore", package: "prores-recorder"),
        .product(name: "ProRes", package: "prores-recorder"),
        .product(name: "QuickTime", package: "prores-recorder"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "finish-time",
      dependencies: [
        .product(name: "MediaCore", package: "prores-recorder"),
        .product(name: "QuickTime", package: "prores-recorder"),
      ], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "encoder-benchmarks",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
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
      ])
  ],
  swiftLanguageModes: [.v6]
)

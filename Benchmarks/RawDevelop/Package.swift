// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "raw-develop-benchmark",
  dependencies: [.package(name: "prores-recorder", path: "../prores-recorder")],
  targets: [
    .executableTarget(
      name: "raw-develop",
      dependencies: [
        .product(name: "DNG", package: "prores-recorder"),
        .product(name: "RawDevelop", package: "prores-recorder"),
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

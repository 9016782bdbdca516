package dev.hearth.packages.internal;

import dev.hearth.spi.packages.PackageExclude;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.packages.RequestedPackage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Text that is equal for requests with equal results: packages, excludes, repositories, the directory, and the state of
 * the settings files. Immutable.
 */
record ClosureKey(String text) {
    private static final String VERSION = "closure 1";

    static ClosureKey of(PackageRequest request, UserFiles files) throws IOException {
        StringBuilder text = new StringBuilder(VERSION).append('\n');
        for (RequestedPackage requested : request.packages()) { // in their order, which is that of the class path
            text.append("package ")
                    .append(requested.coordinate())
                    .append(requested.transitive() ? " " : " alone ")
                    .append(sorted(requested.excludes()))
                    .append('\n');
        }
        text.append("exclude ").append(sorted(request.excludes())).append('\n');
        text.append("default ")
                .append(RepositoryAddress.withoutUser(request.defaultRepository()))
                .append('\n');
        request.repositories()
                .forEach(address -> text.append("repository ")
                        .append(RepositoryAddress.withoutUser(address))
                        .append('\n'));
        text.append("directory ")
                .append(files.given(request.directory()).orElse(files.repository()))
                .append('\n');
        for (Path file : files.settingsFiles()) {
            text.append("settings ")
                    .append(file)
                    .append(' ')
                    .append(state(file))
                    .append('\n');
        }
        return new ClosureKey(text.toString());
    }

    private static List<String> sorted(List<PackageExclude> excludes) {
        return excludes.stream().map(PackageExclude::toString).sorted().toList();
    }

    private static String state(Path file) throws IOException {
        return Files.isRegularFile(file)
                ? Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis()
                : "absent";
    }

    /** Name of a file for the closure. */
    String fileName() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash) + ".closure";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java platform has SHA-256
        }
    }
}

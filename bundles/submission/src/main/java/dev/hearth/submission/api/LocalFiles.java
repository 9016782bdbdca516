package dev.hearth.submission.api;

import dev.hearth.spi.application.ClassPathEntries;
import dev.hearth.spi.error.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves the files that the command line of {@code submit} names against a working directory. Reads files and never
 * changes them.
 */
record LocalFiles(Path directory) {
    private static final String ALL = "*";
    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):.*");

    /**
     * Returns the absolute path of the jar that {@code text} names. Fails if there is no such readable file; {@code
     * subject} begins the error message.
     */
    Path jar(String subject, String text) {
        Path file = path(subject, text);
        if (!Files.exists(file)) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + ": '" + text + "': no such file (expected: a jar on this machine); looked for " + file);
        }
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + ": '" + text + "': " + (Files.isDirectory(file) ? "a directory" : "not readable")
                            + " (expected: a jar that can be read)");
        }
        return file;
    }

    /** Returns a class path of absolute, existing entries: jars, directories, and all jars matched by {@code dir/*}. */
    String classPath(String subject, String text) {
        List<String> entries = new ArrayList<>();
        for (String entry : ClassPathEntries.split(text)) {
            if (ClassPathEntries.isAllOf(entry)) {
                entries.addAll(jarsIn(subject, entry));
            } else {
                Path file = directory.resolve(entry).normalize();
                entries.add(
                        Files.isDirectory(file)
                                ? file.toString()
                                : jar(subject, entry).toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private List<String> jarsIn(String subject, String entry) {
        Path parent = directory
                .resolve(entry.substring(0, entry.length() - ALL.length()))
                .normalize();
        try {
            return ClassPathEntries.jarsIn(parent).stream().map(Path::toString).toList();
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + ": '" + entry + "': no such directory (expected: a directory of jars); looked for" + " "
                            + parent,
                    failure);
        }
    }

    /** Returns the main class named in the manifest of a jar; empty if there is none. */
    Optional<String> mainClass(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest == null
                    ? Optional.empty()
                    : Optional.ofNullable(manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS))
                            .map(String::trim);
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    "application jar: '" + jar + "': " + failure.getMessage()
                            + " (expected: a jar); was it copied completely?",
                    failure);
        }
    }

    private Path path(String subject, String text) {
        Matcher scheme = SCHEME.matcher(text);
        if (!scheme.matches()) {
            return directory.resolve(text).toAbsolutePath().normalize();
        }
        if (!scheme.group(1).equals("file")) {
            throw ErrorCode.BAD_ARGUMENT.failure(subject + ": '" + text + "': scheme " + scheme.group(1)
                    + " (expected: a path on this machine, or file:); copy the file to this machine first");
        }
        try {
            return Path.of(URI.create(text)).normalize();
        } catch (IllegalArgumentException failure) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    subject + ": '" + text + "': " + failure.getMessage() + " (expected: a path, or a URI such as"
                            + " file:/home/me/a.jar)",
                    failure);
        }
    }
}

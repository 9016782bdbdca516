package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ClassPathEntries;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Secrets;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves the files that the command line of {@code submit} names against a working directory. {@code sight} says what
 * this machine knows of them; {@code warnings} receives a line for a file that is missing here and may be elsewhere.
 * Reads directories and never changes them.
 */
record ResourceAddresses(Path directory, Sight sight, Consumer<String> warnings) {
    private static final String ALL = "*";
    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):.*", Pattern.DOTALL);

    /** Relation of this machine to the files of a submission. */
    enum Sight {
        /** The driver runs here, so that its files must exist. */
        REQUIRED,
        /** The driver runs on another machine, which may have files that are missing here. */
        POSSIBLE,
        /** The request comes from another machine and is for a third one: no file of this machine is looked at. */
        NONE
    }

    /**
     * Returns the resources that {@code text} names: one, or those that match a pattern of local files. For files and
     * archives, the text may end with {@code #} and a name. {@code subject} begins error messages.
     */
    List<SubmissionResource> of(Kind kind, String subject, String text) {
        String named = subject + ": '" + Secrets.shownAddress(text) + "'";
        int sign = kind == Kind.FILE || kind == Kind.ARCHIVE ? text.lastIndexOf('#') : -1;
        String plain = sign < 0 ? text : text.substring(0, sign);
        Optional<String> alias = sign < 0 ? Optional.empty() : Optional.of(alias(named, text.substring(sign + 1)));
        Matcher scheme = SCHEME.matcher(plain);
        if (scheme.matches() && !scheme.group(1).equals(SubmissionResource.FILE)) {
            return List.of(resource(kind, named, plain, alias));
        }
        Path path = path(named, plain, scheme.matches());
        if (sight == Sight.NONE) {
            requireAbsolute(named, plain, scheme.matches());
            return List.of(resource(kind, named, path.toUri().toString(), alias));
        }
        List<Path> files = FilePatterns.files(named, path);
        if (files.size() > 1 && (alias.isPresent() || kind == Kind.APPLICATION_JAR)) {
            throw PlacedResources.severalMatches(named, files);
        }
        List<SubmissionResource> resources = new ArrayList<>();
        for (Path file : files.isEmpty() ? List.of(path) : files) {
            check(kind, named, file);
            resources.add(resource(kind, named, file.toUri().toString(), alias));
        }
        return resources;
    }

    /** Fails with {@code BAD_ARGUMENT} for a path that only the sender of the request could resolve. */
    private static void requireAbsolute(String named, String plain, boolean isUri) {
        if (!isUri && !plain.startsWith("/")) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    named + ": a relative path (expected: an absolute path on the machine of"
                            + " the driver, or a URI, as the request comes from another process)");
        }
    }

    /**
     * Returns the entries of a class path, absolute if they are of this machine. Jars, directories, and {@code dir/*} are
     * checked; entries with the scheme {@code local:} or of file stores are not.
     */
    List<String> classPath(String subject, String text) {
        List<String> entries = new ArrayList<>();
        for (String entry : ClassPathEntries.tokens(text)) {
            String plain = ClassPathEntries.withoutScheme(entry);
            if (ClassPathEntries.isAddress(entry) || entry.startsWith(SubmissionResource.LOCAL + ":")) {
                entries.add(plain);
            } else if (ClassPathEntries.isAllOf(plain)) {
                entries.addAll(jarsIn(subject, plain));
            } else {
                Path file = path(subject + ": '" + entry + "'", plain, false);
                if (!Files.isDirectory(file)) {
                    check(Kind.JAR, subject + ": '" + entry + "'", file);
                }
                entries.add(file.toString());
            }
        }
        return entries;
    }

    private List<String> jarsIn(String subject, String entry) {
        Path parent = directory
                .resolve(entry.substring(0, entry.length() - ALL.length()))
                .normalize();
        try {
            return ClassPathEntries.jarsIn(parent).stream().map(Path::toString).toList();
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + ": '" + entry + "': no such directory (expected: a directory of jars); looked for "
                            + parent,
                    failure);
        }
    }

    /** Fails with {@code PATH_MISSING} unless {@code file} is a file that can be read, or is not checked. */
    private void check(Kind kind, String named, Path file) {
        String wanted = kind == Kind.APPLICATION_JAR || kind == Kind.JAR ? "a jar" : "a file";
        if (Files.isRegularFile(file) && Files.isReadable(file)) {
            return;
        }
        if (sight != Sight.REQUIRED) {
            warnings.accept(named + ": not seen on this machine (expected: " + wanted
                    + " on the machine that will run the driver); looked for " + file);
        } else if (!Files.exists(file)) {
            throw ErrorCode.PATH_MISSING.failure(
                    named + ": no such file (expected: " + wanted + " on this machine); looked for " + file);
        } else {
            throw ErrorCode.PATH_MISSING.failure(named + ": "
                    + (Files.isDirectory(file) ? "a directory" : "not readable") + " (expected: " + wanted
                    + " that can be read)");
        }
    }

    private Path path(String named, String text, boolean isUri) {
        try {
            return isUri
                    ? Path.of(URI.create(text)).normalize()
                    : directory.resolve(text).toAbsolutePath().normalize();
        } catch (InvalidPathException failure) {
            throw ErrorCode.BAD_ARGUMENT.failure(named + ": " + failure.getReason() + " (expected: a path)", failure);
        } catch (IllegalArgumentException failure) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    named + ": " + failure.getMessage() + " (expected: a path, or a URI such as file:/home/me/a.jar)",
                    failure);
        }
    }

    private static SubmissionResource resource(Kind kind, String named, String address, Optional<String> alias) {
        try {
            String fragment = alias.isPresent() ? "#" + new URI(null, null, alias.get()).getRawFragment() : "";
            SubmissionResource resource = SubmissionResource.of(kind, address + fragment);
            if (resource.name().isEmpty()) {
                throw ErrorCode.BAD_ARGUMENT.failure(named + ": no file name (expected: the address of a file)");
            }
            return resource;
        } catch (URISyntaxException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    named + ": " + malformed.getMessage() + " (expected: a name after #)", malformed);
        } catch (HearthException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(named + ": " + malformed.getMessage(), malformed);
        }
    }

    private static String alias(String named, String name) {
        if (name.isBlank() || name.equals(".") || name.equals("..") || name.contains("/") || name.contains("\\")) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    named + ": name '" + name + "' (expected: a name of one file after #, without slashes)");
        }
        return name;
    }

    /** Text form of a resource in a setting: a path, or a URI, and the alias. */
    static String text(SubmissionResource resource) {
        return resource.scheme().equals(SubmissionResource.FILE)
                ? resource.path() + resource.alias().map(name -> "#" + name).orElse("")
                : resource.toString();
    }

    /** Joins the entries of a class path. */
    static String joined(List<String> entries) {
        return String.join(File.pathSeparator, entries);
    }
}

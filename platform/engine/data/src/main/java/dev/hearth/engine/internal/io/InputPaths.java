package dev.hearth.engine.internal.io;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the input files of a path: a file, a directory, a glob pattern, a {@code file:} URI, or a comma-separated list
 * of them. The files are in the order of the list, and sorted by name within one entry. As in Hadoop, names that begin
 * with {@code _} or {@code .} are skipped in directories and among wildcard matches. Created for one call; used by the
 * calling thread.
 */
public final class InputPaths {
    private static final Logger LOG = LoggerFactory.getLogger(InputPaths.class);

    /** Upper bound on the number of input files of one dataset. */
    private static final int FILES_MAX = 10_000_000;

    private final FileSettings settings;
    private final Path home;
    private final boolean listed; // whether the manifests of directories are checked
    private final List<InputFile> found = new ArrayList<>();

    private InputPaths(FileSettings settings, Path home, boolean listed) {
        this.settings = settings;
        this.home = home;
        this.listed = listed;
    }

    /**
     * Finds the input files of {@code paths}. Fails if a named file is missing, or if a pattern has no match, unless
     * the settings ignore missing files.
     */
    public static List<InputFile> find(String paths, FileSettings settings) {
        return find(paths, settings, Path.of("").toAbsolutePath());
    }

    /**
     * Finds files like {@link #find}, in directories that Hearth's own jobs wrote. If a directory has an
     * {@link OutputManifest}, the directory must contain all parts that the manifest lists.
     */
    public static List<InputFile> findListed(String paths, FileSettings settings) {
        return find(paths, new InputPaths(settings, Path.of("").toAbsolutePath(), true));
    }

    static List<InputFile> find(String paths, FileSettings settings, Path home) {
        return find(paths, new InputPaths(settings, home, false));
    }

    private static List<InputFile> find(String paths, InputPaths search) {
        for (String path : GlobPattern.list(paths)) {
            if (path.isBlank()) {
                throw ErrorCode.BAD_ARGUMENT.failure("input path '" + paths
                        + "': an empty entry (expected: a file, a directory or a pattern, or several"
                        + " separated by commas)");
            }
            search.add(path);
        }
        return List.copyOf(search.found);
    }

    private void add(String path) {
        String pattern = FileUris.pattern(path);
        Collection<Path> matches = new LinkedHashSet<>();
        for (String alternative : GlobPattern.alternatives(pattern)) {
            matches.addAll(expand(alternative));
        }
        if (matches.size() > 1) {
            matches = new TreeSet<>(matches);
        } else if (matches.isEmpty()) {
            Path literal = resolve(home, pattern);
            if (!Files.exists(literal)) {
                missing(path);
                return;
            }
            matches.add(literal); // the path names an existing file, whose name merely looks like a pattern
        }
        for (Path match : matches) {
            addMatch(match);
        }
    }

    private void missing(String path) {
        if (!settings.ignoreMissing()) {
            throw ErrorCode.PATH_MISSING.failure("input path '" + path + "': "
                    + (GlobPattern.isWild(path) ? "matches no file" : "no such file or directory")
                    + " (expected: a readable file, directory or pattern, relative to " + home + ")");
        }
        LOG.warn("input path '{}': missing; it counts as empty because hearth.files.ignoreMissingFiles is set", path);
    }

    private Set<Path> expand(String pattern) {
        Set<Path> current = new LinkedHashSet<>();
        current.add(pattern.startsWith("/") ? Path.of("/") : home);
        for (String segment : pattern.split("/", -1)) {
            if (!segment.isEmpty()) {
                current = step(current, segment);
            }
        }
        current.removeIf(path -> !Files.exists(path));
        return current;
    }

    private Set<Path> step(Set<Path> directories, String segment) {
        Set<Path> next = new LinkedHashSet<>();
        if (!GlobPattern.isWild(segment)) {
            for (Path directory : directories) {
                next.add(resolve(directory, GlobPattern.unescape(segment)));
            }
            return next;
        }
        Pattern names = GlobPattern.segment(segment);
        boolean wantsHidden = segment.startsWith("_") || segment.startsWith(".");
        for (Path directory : directories) {
            if (Files.isDirectory(directory)) {
                for (Path child : list(directory, wantsHidden)) {
                    if (names.matcher(child.getFileName().toString()).matches()) {
                        next.add(child);
                    }
                }
            }
        }
        return next;
    }

    private static Path resolve(Path directory, String name) {
        try {
            return directory.resolve(name);
        } catch (InvalidPathException bad) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "input path '" + name + "': " + bad.getReason() + " (expected: a path of this system)", bad);
        }
    }

    private void addMatch(Path match) {
        BasicFileAttributes attributes = attributes(match);
        if (attributes.isDirectory()) {
            addDirectory(match, new LinkedHashSet<>());
        } else {
            addFile(match, attributes);
        }
    }

    private void addDirectory(Path directory, Set<Path> above) {
        Path real = real(directory);
        if (!above.add(real)) {
            throw ErrorCode.BAD_ARGUMENT.failure("input directory " + directory + ": a link leads back to " + real
                    + " (expected: no cycle of links); name the directories below this one instead");
        }
        if (listed) {
            OutputManifest.in(directory)
                    .ifPresent(parts -> parts.check(settings.ignoreMissing(), settings.ignoreCorrupt()));
        }
        for (Path child : list(directory, false)) {
            if (settings.ignoreMissing() && !Files.exists(child)) {
                missing(child.toString()); // the file was removed meanwhile, or is a dangling link
                continue;
            }
            BasicFileAttributes attributes = attributes(child);
            if (!attributes.isDirectory()) {
                addFile(child, attributes);
            } else if (settings.recursive()) {
                addDirectory(child, above);
            } else {
                throw ErrorCode.BAD_ARGUMENT.failure("input directory " + directory + ": contains the directory "
                        + child.getFileName() + " (expected: files alone); name a pattern such as " + directory
                        + "/*.txt, or set hearth.hadoop.mapreduce.input.fileinputformat.input.dir.recursive=true");
            }
        }
        above.remove(real);
    }

    private void addFile(Path file, BasicFileAttributes attributes) {
        if (!attributes.isRegularFile()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "input path " + file + ": neither a file nor a directory (expected: one of these)");
        }
        if (!Files.isReadable(file)) {
            throw unreadable(file, "not readable by this process", null);
        }
        if (found.size() == FILES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "input files: more than " + FILES_MAX + " (expected: at most that many); read them in several"
                            + " datasets, or pack them into fewer files");
        }
        found.add(new InputFile(file.toString(), attributes.size()));
    }

    private static List<Path> list(Path directory, boolean hidden) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path child : entries) {
                String name = child.getFileName().toString();
                if (hidden || (!name.startsWith("_") && !name.startsWith("."))) {
                    children.add(child);
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw unreadable(directory, "cannot be listed, " + failure.getMessage(), failure);
        } catch (IOException failure) {
            throw unreadable(directory, "cannot be listed, " + failure, failure);
        }
        children.sort(null);
        return children;
    }

    private static BasicFileAttributes attributes(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException failure) {
            throw unreadable(path, "cannot be inspected, " + failure, failure);
        }
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException failure) {
            throw unreadable(directory, "cannot be inspected, " + failure, failure);
        }
    }

    private static RuntimeException unreadable(Path path, String what, @Nullable Exception why) {
        String message = "input path " + path + ": " + what + " (expected: a readable file or directory)";
        return why == null ? ErrorCode.PATH_MISSING.failure(message) : ErrorCode.PATH_MISSING.failure(message, why);
    }
}

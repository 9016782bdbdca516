package dev.hearth.engine.internal.io;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the input files of a path: a file, a directory, a glob pattern, a URI, or a comma-separated list of them. The
 * files are in the order of the list, and sorted by name within one entry. As in Hadoop, names that begin with
 * {@code _} or {@code .} are skipped in directories and among wildcard matches. Created for one call; used by the
 * calling thread.
 */
public final class InputPaths {
    private static final Logger LOG = LoggerFactory.getLogger(InputPaths.class);

    /** Upper bound on the number of input files of one dataset. */
    private static final int FILES_MAX = 10_000_000;

    private final FileSettings settings;
    private final ApplicationStores stores;
    private final FileName home;
    private final boolean listed; // whether the manifests of directories are checked
    private final List<InputFile> found = new ArrayList<>();

    private InputPaths(InputAccess access, FileName home, boolean listed) {
        this.settings = access.settings();
        this.stores = access.stores();
        this.home = home;
        this.listed = listed;
    }

    /**
     * Finds the input files of {@code paths}. Fails if a named file is missing, or if a pattern has no match, unless
     * the settings ignore missing files.
     */
    public static List<InputFile> find(String paths, InputAccess access) {
        return find(paths, access, access.stores().home());
    }

    /**
     * Finds files like {@link #find}, in directories that Hearth's own jobs wrote. If a directory has an
     * {@link OutputManifest}, the directory must contain all parts that the manifest lists.
     */
    public static List<InputFile> findListed(String paths, InputAccess access) {
        return findListed(paths, access, access.stores().home());
    }

    static List<InputFile> find(String paths, InputAccess access, FileName home) {
        return find(paths, new InputPaths(access, home, false));
    }

    static List<InputFile> findListed(String paths, InputAccess access, FileName home) {
        return find(paths, new InputPaths(access, home, true));
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
        Optional<FileName> uri = FileName.uri(path, FileUris::pattern);
        FileName start = uri.map(FileName::root).orElseGet(() -> path.startsWith("/") ? home.root() : home);
        String pattern = uri.map(FileName::path).orElse(path);
        SortedMap<FileName, FileEntry> matches = new TreeMap<>();
        for (String alternative : GlobPattern.alternatives(pattern)) {
            expand(start, alternative).forEach(entry -> matches.put(entry.name(), entry));
        }
        if (matches.isEmpty()) {
            Optional<FileEntry> literal = look(start.child(pattern));
            if (literal.isEmpty()) {
                missing(path, uri.isPresent());
                return;
            }
            // the path names an existing file, whose name merely looks like a pattern
            matches.put(literal.get().name(), literal.get());
        }
        matches.values().forEach(this::addMatch);
    }

    private void missing(String path, boolean isUri) {
        if (!settings.ignoreMissing()) {
            throw ErrorCode.PATH_MISSING.failure("input path '" + path + "': "
                    + (GlobPattern.isWild(path) ? "matches no file" : "no such file or directory")
                    + " (expected: a readable file, directory or pattern, " + rule(path, isUri) + ")");
        }
        LOG.warn("input path '{}': missing; it counts as empty because hearth.files.ignoreMissingFiles is set", path);
    }

    private String rule(String path, boolean isUri) {
        if (isUri || home.isLocal()) {
            return "relative to " + home;
        }
        return "here below " + (path.startsWith("/") ? home.root() : home) + "; file:/path names a local file";
    }

    /** Returns the entries that match a pattern without alternatives, below the directory {@code start}. */
    private List<FileEntry> expand(FileName start, String pattern) {
        List<FileName> directories = List.of(start);
        List<FileEntry> entries = List.of(); // those of `directories`, if their last segment was a pattern
        for (String segment : pattern.split("/", -1)) {
            if (segment.isEmpty()) {
                continue;
            }
            if (GlobPattern.isWild(segment)) {
                entries = matching(directories, entries, segment);
                directories = entries.stream().map(FileEntry::name).toList();
            } else {
                String name = GlobPattern.unescape(segment);
                directories = directories.stream()
                        .map(directory -> directory.child(name))
                        .toList();
                entries = List.of();
            }
        }
        return entries.isEmpty()
                ? directories.stream().map(this::look).flatMap(Optional::stream).toList()
                : entries;
    }

    private List<FileEntry> matching(List<FileName> directories, List<FileEntry> known, String segment) {
        Pattern names = GlobPattern.segment(segment);
        boolean wantsHidden = segment.startsWith("_") || segment.startsWith(".");
        List<FileEntry> at = known.isEmpty()
                ? directories.stream().map(this::look).flatMap(Optional::stream).toList()
                : known;
        List<FileEntry> found = new ArrayList<>();
        for (FileEntry directory : at) {
            if (directory.isDirectory()) {
                for (FileEntry child : list(directory.name(), wantsHidden)) {
                    if (child.kind() != FileEntry.Kind.MISSING
                            && names.matcher(child.name().name()).matches()) {
                        found.add(child);
                    }
                }
            }
        }
        return found;
    }

    private void addMatch(FileEntry match) {
        if (match.isDirectory()) {
            addDirectory(match.name(), new LinkedHashSet<>());
        } else {
            addFile(match);
        }
    }

    private void addDirectory(FileName directory, Set<FileName> above) {
        FileName real = settings.recursive() ? real(directory) : directory;
        if (!above.add(real)) {
            throw ErrorCode.BAD_ARGUMENT.failure("input directory " + directory + ": a link leads back to " + real
                    + " (expected: no cycle of links); name the directories below this one instead");
        }
        for (FileEntry child : children(directory)) {
            if (child.kind() == FileEntry.Kind.MISSING) {
                missingChild(child.name());
            } else if (!child.isDirectory()) {
                addFile(child);
            } else if (settings.recursive()) {
                addDirectory(child.name(), above);
            } else {
                throw ErrorCode.BAD_ARGUMENT.failure("input directory " + directory + ": contains the directory "
                        + child.name().name() + " (expected: files alone); name a pattern such as " + directory
                        + "/*.txt, or set hearth.hadoop.mapreduce.input.fileinputformat.input.dir.recursive=true");
            }
        }
        above.remove(real);
    }

    private void missingChild(FileName child) {
        if (!settings.ignoreMissing()) {
            throw unreadable(child, "listed, but missing: removed meanwhile, or a link without target", null);
        }
        missing(child.toString(), true);
    }

    /**
     * The visible entries of a directory. If it has a manifest, its parts are included even if the listing of the store
     * does not show them yet.
     */
    private List<FileEntry> children(FileName directory) {
        Optional<OutputManifest> manifest = listed ? OutputManifest.in(directory, stores) : Optional.empty();
        manifest.ifPresent(parts -> parts.check(settings.ignoreMissing(), settings.ignoreCorrupt()));
        List<FileEntry> children = list(directory, false);
        Set<FileName> known = new HashSet<>();
        children.forEach(child -> known.add(child.name()));
        for (String part : manifest.map(OutputManifest::names).orElse(List.of())) {
            if (!known.contains(directory.child(part))) {
                look(directory.child(part)).ifPresent(children::add);
            }
        }
        children.sort(Comparator.comparing(FileEntry::name));
        return children;
    }

    private void addFile(FileEntry file) {
        if (!file.isFile()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "input path " + file.name() + ": neither a file nor a directory (expected: one of these)");
        }
        if (!file.readable()) {
            throw unreadable(file.name(), "not readable by this process", null);
        }
        if (found.size() == FILES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "input files: more than " + FILES_MAX + " (expected: at most that many); read them in several"
                            + " datasets, or pack them into fewer files");
        }
        found.add(new InputFile(file.name().toString(), file.length(), file.blockBytes()));
    }

    private List<FileEntry> list(FileName directory, boolean hidden) {
        List<FileEntry> children = new ArrayList<>();
        try {
            stores.of(directory).list(directory).forEachRemaining(child -> {
                String name = child.name().name();
                if (hidden || (!name.startsWith("_") && !name.startsWith("."))) {
                    children.add(child);
                }
            });
        } catch (UncheckedIOException failure) {
            throw unreadable(directory, "cannot be listed, " + failure.getMessage(), failure);
        } catch (IOException failure) {
            throw unreadable(directory, "cannot be listed, " + StoreException.textOf(failure), failure);
        }
        return children;
    }

    private Optional<FileEntry> look(FileName path) {
        try {
            return stores.of(path).look(path);
        } catch (IOException failure) {
            throw unreadable(path, "cannot be inspected, " + StoreException.textOf(failure), failure);
        }
    }

    private FileName real(FileName directory) {
        try {
            return stores.of(directory).real(directory);
        } catch (IOException failure) {
            throw unreadable(directory, "cannot be inspected, " + StoreException.textOf(failure), failure);
        }
    }

    private static RuntimeException unreadable(FileName path, String what, @Nullable Exception why) {
        String message = "input path " + path + ": " + what + " (expected: a readable file or directory)";
        return why == null ? ErrorCode.PATH_MISSING.failure(message) : ErrorCode.PATH_MISSING.failure(message, why);
    }
}

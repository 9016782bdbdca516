package dev.hearth.spi.stream;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Serves the files below one directory by relative path. Symbolic links are resolved on each access, so a link cannot
 * lead out of the directory. Immutable.
 */
final class DirectoryStreamProvider implements StreamProvider {
    private static final int ENTRIES_MAX = 100_000;

    private final Path root;

    /** Creates a provider of the files below {@code root}, a path that must not contain symbolic links. */
    DirectoryStreamProvider(Path root) {
        this.root = root;
    }

    @Override
    public Optional<StreamContent> open(String name) throws IOException {
        Optional<Path> file = inside(name);
        return file.isPresent() ? FileContent.of(file.get()) : Optional.empty();
    }

    @Override
    public Optional<List<StreamEntry>> list(String name) throws IOException {
        Optional<Path> directory = inside(name).filter(Files::isDirectory);
        if (directory.isEmpty()) {
            return Optional.empty();
        }
        List<StreamEntry> entries = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory.get())) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (entries.size() == ENTRIES_MAX) {
                    throw ErrorCode.BAD_ARGUMENT.failure("directory " + name + ": more than " + ENTRIES_MAX
                            + " entries (expected: at most that many); fetch its files by name");
                }
                entry(file).ifPresent(entries::add);
            }
        }
        entries.sort(Comparator.comparing(StreamEntry::name));
        return Optional.of(entries);
    }

    private Optional<StreamEntry> entry(Path file) throws IOException {
        Optional<Path> real = inside(file);
        if (real.isEmpty()) {
            return Optional.empty();
        }
        BasicFileAttributes found = Files.readAttributes(real.get(), BasicFileAttributes.class);
        return Optional.of(new StreamEntry(
                file.getFileName().toString(), found.isDirectory(), found.isRegularFile() ? found.size() : 0));
    }

    private Optional<Path> inside(String name) throws IOException {
        try {
            return inside(root.resolve(name));
        } catch (InvalidPathException unspeakable) { // for example characters that the file system's encoding lacks
            return Optional.empty();
        }
    }

    /** Resolves the symbolic links of {@code path}; empty if it does not exist or leads out of the served directory. */
    private Optional<Path> inside(Path path) throws IOException {
        try {
            return Optional.of(path.toRealPath()).filter(real -> real.startsWith(root));
        } catch (NoSuchFileException | FileSystemLoopException none) {
            return Optional.empty();
        } catch (FileSystemException unusable) { // for example a file used as a directory, or a cycle of links
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) || Files.isSymbolicLink(path)) {
                return Optional.empty();
            }
            throw unusable;
        }
    }
}

package example.store;

import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Stores the files {@code shelf:/path} at {@code /path} of this machine, with each byte inverted. Stateless. */
final class ShelfStore implements FileStore {
    private static Path path(FileName file) {
        return Path.of(file.path());
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of(StoreTrait.ATOMIC_RENAME, StoreTrait.EXCLUSIVE_CREATE);
    }

    @Override
    public Optional<FileEntry> look(FileName file) throws IOException {
        return Files.exists(path(file)) ? Optional.of(entry(file)) : Optional.empty();
    }

    private static FileEntry entry(FileName file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(path(file), BasicFileAttributes.class);
        long changed = found.lastModifiedTime().toMillis();
        return found.isDirectory()
                ? FileEntry.directory(file, changed)
                : FileEntry.file(file, found.size(), changed, 0);
    }

    @Override
    public Iterator<FileEntry> list(FileName directory) throws IOException {
        try (Stream<Path> children = Files.list(path(directory))) {
            List<FileName> names = children.map(
                            child -> directory.child(child.getFileName().toString()))
                    .toList();
            Stream.Builder<FileEntry> entries = Stream.builder();
            for (FileName name : names) {
                entries.add(entry(name));
            }
            return entries.build().iterator();
        }
    }

    @Override
    public StoreInput read(FileName file, long from) throws IOException {
        return new ShelfInput(Files.newInputStream(path(file)), from);
    }

    @Override
    public StoreOutput create(FileName file, boolean replace) throws IOException {
        if (!replace) {
            Files.createFile(path(file));
        }
        return new ShelfOutput(Files.newOutputStream(path(file)));
    }

    @Override
    public void directory(FileName name, boolean mustBeNew) throws IOException {
        if (mustBeNew) {
            Files.createDirectory(path(name));
        } else {
            Files.createDirectories(path(name));
        }
    }

    @Override
    public boolean rename(FileName from, FileName to, boolean replace) throws IOException {
        if (replace) {
            Files.move(path(from), path(to), StandardCopyOption.ATOMIC_MOVE);
            return true;
        }
        try {
            Files.createLink(path(to), path(from));
            Files.delete(path(from));
            return true;
        } catch (FileAlreadyExistsException there) {
            return false;
        }
    }

    @Override
    public void remove(FileName name, boolean tree) throws IOException {
        if (!tree) {
            Files.deleteIfExists(path(name));
            return;
        }
        try (Stream<Path> all = Files.walk(path(name))) {
            for (Path found : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(found);
            }
        } catch (NoSuchFileException none) {
            return; // nothing to remove
        }
    }

    @Override
    public void close() {
        // nothing is open
    }
}

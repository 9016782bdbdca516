package dev.hearth.testkit.storage;

import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Files in memory, shared by all stores that are opened on them. Guarded by its own lock. The root of each authority
 * exists from the start.
 */
final class MemoryStorage {
    private final TreeMap<FileName, Node> nodes = new TreeMap<>();
    private final long blockBytes;
    private long changes; // serves as the time of changes, in milliseconds

    MemoryStorage(long blockBytes) {
        this.blockBytes = blockBytes;
    }

    /** File with its content, or a directory, whose content is null. */
    private static final class Node {
        private byte @Nullable [] content;
        private final long changed;
        private int hiddenListings; // number of listings that do not yet show this node

        Node(byte @Nullable [] content, long changed, int hiddenListings) {
            this.content = content;
            this.changed = changed;
            this.hiddenListings = hiddenListings;
        }
    }

    synchronized Optional<FileEntry> look(FileName file) {
        Node node = node(file);
        return node == null ? Optional.empty() : Optional.of(entry(file, node));
    }

    private @Nullable Node node(FileName file) {
        return file.parent().isEmpty() ? new Node(null, 0, 0) : nodes.get(file);
    }

    private FileEntry entry(FileName file, Node node) {
        byte[] content = node.content;
        return content == null
                ? FileEntry.directory(file, node.changed)
                : FileEntry.file(file, content.length, node.changed, blockBytes);
    }

    synchronized List<FileEntry> list(FileName directory) throws IOException {
        requireDirectory(directory);
        List<FileEntry> found = new ArrayList<>();
        nodes.forEach((name, node) -> {
            if (name.parent().equals(Optional.of(directory))) {
                if (node.hiddenListings > 0) {
                    node.hiddenListings--;
                } else {
                    found.add(entry(name, node));
                }
            }
        });
        return found;
    }

    private void requireDirectory(FileName directory) throws IOException {
        Node node = node(directory);
        if (node == null) {
            throw new NoSuchFileException(directory.toString());
        }
        if (node.content != null) {
            throw new NotDirectoryException(directory.toString());
        }
    }

    synchronized byte[] content(FileName file) throws IOException {
        Node node = node(file);
        if (node == null) {
            throw new NoSuchFileException(file.toString());
        }
        if (node.content == null) {
            throw new IOException(file + " is a directory");
        }
        return node.content;
    }

    synchronized void put(FileName file, byte[] content, boolean replace, int hiddenListings) throws IOException {
        requireDirectory(file.parent().orElse(file));
        Node known = node(file);
        if (known != null && (!replace || known.content == null)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        nodes.put(file, new Node(content, ++changes, hiddenListings));
    }

    /** Replaces the content of a file that exists; ignored if it was removed meanwhile. */
    synchronized void update(FileName file, byte[] content) {
        Node known = nodes.get(file);
        if (known != null) {
            known.content = content;
        }
    }

    synchronized void directory(FileName name, boolean mustBeNew) throws IOException {
        Node known = node(name);
        if (known != null) {
            if (mustBeNew || known.content != null) {
                throw new FileAlreadyExistsException(name.toString());
            }
            return;
        }
        FileName above = name.parent().orElseThrow();
        if (!mustBeNew) {
            directory(above, false);
        }
        requireDirectory(above);
        nodes.put(name, new Node(null, ++changes, 0));
    }

    synchronized boolean rename(FileName from, FileName to, boolean replace) throws IOException {
        byte[] content = content(from);
        Node known = node(to);
        if (known != null && (!replace || known.content == null)) {
            return false;
        }
        requireDirectory(to.parent().orElseThrow());
        Node moved = new Node(content, ++changes, nodes.get(from).hiddenListings);
        nodes.remove(from);
        nodes.put(to, moved);
        return true;
    }

    synchronized void remove(FileName name, boolean tree) throws IOException {
        String prefix = name.path() + "/";
        List<FileName> below = nodes.keySet().stream()
                .filter(other -> other.authority().equals(name.authority())
                        && other.path().startsWith(prefix))
                .toList();
        if (!tree && !below.isEmpty()) {
            throw new DirectoryNotEmptyException(name.toString());
        }
        below.forEach(nodes::remove);
        nodes.remove(name);
    }

    synchronized List<FileName> all() {
        return List.copyOf(nodes.keySet());
    }
}

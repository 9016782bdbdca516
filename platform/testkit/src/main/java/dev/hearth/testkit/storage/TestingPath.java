package dev.hearth.testkit.storage;

import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;

/**
 * Path of a file on any store, with the methods of {@link java.nio.file.Path} that tests use. {@link TestingFiles} has
 * the operations. Immutable.
 */
public record TestingPath(ApplicationStores stores, FileName name) implements Comparable<TestingPath> {
    public TestingPath resolve(String relative) {
        return new TestingPath(stores, name.child(relative));
    }

    public TestingPath resolveSibling(String other) {
        return getParent().resolve(other);
    }

    public TestingPath getParent() {
        return new TestingPath(stores, name.parent().orElseThrow());
    }

    public String getFileName() {
        return name.name();
    }

    /** The path of {@code file}, as {@link #toString} returns it, relative to this directory. */
    public String relativize(String file) {
        String prefix = this + "/";
        if (!file.startsWith(prefix)) {
            throw new IllegalArgumentException(file + " (expected: below " + prefix + ")");
        }
        return file.substring(prefix.length());
    }

    public boolean isLocal() {
        return name.isLocal();
    }

    FileStore store() {
        return stores.of(name);
    }

    @Override
    public int compareTo(TestingPath other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name.toString();
    }
}

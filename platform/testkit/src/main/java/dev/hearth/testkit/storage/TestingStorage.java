package dev.hearth.testkit.storage;

import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.nio.file.Path;

/** Storage on which a parameterised test class runs: files of this machine, or files in memory. */
public enum TestingStorage {
    LOCAL,
    MEMORY;

    /**
     * An empty directory for one test. {@code temporary} is the local one; its path is also the path in memory. The
     * {@code stores} need a {@link MemoryFileStores}.
     */
    public TestingPath directory(ApplicationStores stores, Path temporary) throws IOException {
        FileName name = this == LOCAL
                ? FileName.local(temporary.toString())
                : new FileName(MemoryFileStores.SCHEME_NAME, "test", temporary.toString());
        stores.of(name).directory(name, false);
        return new TestingPath(stores, name);
    }
}

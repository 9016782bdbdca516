package dev.hearth.engine.internal.io;

import dev.hearth.testkit.storage.MemoryFileStores;
import dev.hearth.testkit.storage.TestingPath;
import dev.hearth.testkit.storage.TestingStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** An empty directory in each kind of storage in turn, local and in memory, for tests of files. */
abstract class FilesFixture {
    @Parameter
    TestingStorage storage;

    @TempDir
    Path temporary;

    final MemoryFileStores memory = new MemoryFileStores();
    final OpenStores stores = TestingStores.with(memory);
    TestingPath home;

    @BeforeEach
    void place() throws IOException {
        home = storage.directory(stores, temporary);
    }

    InputAccess access(FileSettings settings) {
        return new InputAccess(settings, stores);
    }
}

package dev.hearth.engine.internal.io;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import java.util.List;

/** Creates the stores of an application for tests. Stateless. */
final class TestingStores {
    private TestingStores() {}

    /** Local files, and the files of {@code others}. */
    static OpenStores with(FileStores... others) {
        return new OpenStores("test", Settings.empty(), FileStoreRegistry.of(() -> List.of(others)), () -> false);
    }

    /** One store for all files. */
    static ApplicationStores always(FileStore store) {
        return new ApplicationStores() {
            @Override
            public FileName name(String text) {
                return FileName.parse(text);
            }

            @Override
            public FileStore of(FileName file) {
                return store;
            }
        };
    }
}

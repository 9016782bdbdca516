package dev.hearth.engine.internal.driver.session;

import dev.hearth.engine.internal.io.OpenStores;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import java.util.List;

/** Creates the stores with which tests prepare and inspect files. Stateless. */
final class TestingStores {
    private TestingStores() {}

    /** Local files, and the files of {@code others}. */
    static OpenStores with(FileStores... others) {
        return new OpenStores("test", Settings.empty(), FileStoreRegistry.of(() -> List.of(others)), () -> false);
    }
}

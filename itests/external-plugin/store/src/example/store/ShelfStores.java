package example.store;

import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.StoreContext;

/** Opens stores of {@code shelf:/path}. */
public final class ShelfStores implements FileStores {
    @Override
    public FileStore open(String scheme, StoreContext context) {
        return new ShelfStore();
    }
}

package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.StoreContext;
import dev.hearth.spi.time.Pauses;
import dev.hearth.spi.time.Ticker;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Opens stores of the files of HTTP servers. Their cache is that of the user. Stateless. */
@Component(
        service = FileStores.class,
        property = {FileStores.SCHEME + "=http", FileStores.SCHEME + "=https"})
public final class HttpFileStores implements FileStores {
    private final HttpCache cache;

    @Activate
    public HttpFileStores() {
        this(new HttpCache(CacheDirectory.ofUser(), HttpDownload.Bounds.DEFAULTS, Ticker.system(), Pauses.real()));
    }

    HttpFileStores(HttpCache cache) {
        this.cache = cache;
    }

    @Override
    public FileStore open(String scheme, StoreContext context) {
        return new HttpFileStore(cache, HttpFsSettings.from(context.settings()));
    }

    @Override
    public Set<String> schemes() {
        return Set.of("http", "https");
    }
}

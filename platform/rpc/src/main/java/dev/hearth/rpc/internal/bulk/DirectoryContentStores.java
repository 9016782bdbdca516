package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.ContentStores;
import java.io.IOException;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Component;

/**
 * Opens content stores, which keep uploaded files in a directory. Provided as an OSGi service, but also usable without
 * OSGi.
 */
@Component(service = ContentStores.class)
public final class DirectoryContentStores implements ContentStores {
    @Override
    public ContentStore open(Path directory, long bytesMax) throws IOException {
        return DirectoryContentStore.open(directory, bytesMax);
    }
}

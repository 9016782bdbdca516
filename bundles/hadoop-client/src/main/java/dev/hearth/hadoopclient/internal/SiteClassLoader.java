package dev.hearth.hadoopclient.internal;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Class loader of the bundle that also finds the site files, as resources. Hadoop looks there for {@code core-site.xml}
 * and the like. Immutable; loads no class itself.
 */
final class SiteClassLoader extends ClassLoader {
    private final SiteFiles files;

    SiteClassLoader(ClassLoader bundle, SiteFiles files) {
        super("hadoop-site", bundle);
        this.files = files;
    }

    SiteFiles files() {
        return files;
    }

    @Override
    public @Nullable URL getResource(String name) {
        Optional<Path> file = files.find(name);
        return file.isPresent() ? url(file.get()) : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        Optional<Path> file = files.find(name);
        return file.isPresent() ? Collections.enumeration(List.of(url(file.get()))) : super.getResources(name);
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException failure) {
            throw new IllegalStateException(file + ": no address (expected: a local file)", failure);
        }
    }
}

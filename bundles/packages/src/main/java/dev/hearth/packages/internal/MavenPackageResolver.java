package dev.hearth.packages.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.packages.PackageListener;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.packages.PackageResolver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Resolves packages from Maven repositories. If the closure of an equal request is known and its files are unchanged,
 * no class of Maven is loaded and no repository is asked. Thread-safe: calls share nothing but files.
 */
@Component(service = PackageResolver.class)
public final class MavenPackageResolver implements PackageResolver {
    private final UserFiles files;
    private final Clock clock;

    @Activate
    public MavenPackageResolver() {
        this(UserFiles.ofProcess(), Clock.systemUTC());
    }

    MavenPackageResolver(UserFiles files, Clock clock) {
        this.files = files;
        this.clock = clock;
    }

    @Override
    public List<Path> resolve(PackageRequest request, PackageListener listener) throws InterruptedException {
        try {
            ClosureCache cache = new ClosureCache(files.closures(files.given(request.directory())), clock);
            ClosureKey key = ClosureKey.of(request, files);
            Optional<Closure> known = cache.find(key, request.offline());
            Closure closure =
                    known.isPresent() ? known.get() : new MavenResolution(files, request, listener, clock).resolve();
            if (known.isEmpty() && !closure.jars().isEmpty()) {
                cache.keep(key, closure);
            }
            closure.warnings().forEach(listener::warned);
            listener.noted(
                    closure.jars().size() + " jars" + (known.isPresent() ? ", as for an equal request before" : ""));
            return closure.paths();
        } catch (IOException failure) {
            throw ErrorCode.PACKAGES_UNRESOLVED.failure(
                    "packages: " + failure + " (expected: settings and jars that can be read)", failure);
        }
    }
}

package dev.hearth.submission.api;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.live.Live;
import dev.hearth.spi.live.LiveServices;
import dev.hearth.spi.packages.PackageListener;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.packages.PackageResolver;
import java.nio.file.Path;
import java.util.List;

/** Access to the {@link PackageResolver} of this process, which starts when it is first needed. Thread-safe. */
@FunctionalInterface
public interface PackageSource {
    /** As {@link PackageResolver#resolve}; fails with {@code NO_PROVIDER} if no resolver is installed. */
    List<Path> resolve(PackageRequest request, PackageListener listener) throws InterruptedException;

    /** The resolver that {@code services} find, after {@code reserves} have started its bundle. */
    static PackageSource onDemand(LiveServices services, OnDemandBundles reserves) {
        return new OnDemand(services, reserves);
    }

    /** Source of packages for a process with bundles. A class, because a lambda expression costs each start more. */
    record OnDemand(LiveServices services, OnDemandBundles reserves) implements PackageSource {
        @Override
        public List<Path> resolve(PackageRequest request, PackageListener listener) throws InterruptedException {
            try (Live<PackageResolver> resolver = services.live(PackageResolver.class, "")) {
                if (!resolver.isThere() && !reserves.startForService(PackageResolver.class.getName())) {
                    throw ErrorCode.NO_PROVIDER.failure(ApplicationSettings.PACKAGES
                            + ": no resolver of packages is installed (expected: the bundle hearth-packages in bundles/ or"
                            + " deploy/); add it, or name the jars with --jars");
                }
                return resolver.call(service -> service.resolve(request, listener));
            }
        }
    }
}

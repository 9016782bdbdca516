package dev.hearth.spi.packages;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Request of an application to a {@link PackageResolver}. Immutable.
 *
 * @param packages the packages, in the order of the class path
 * @param excludes packages to leave out wherever they are needed
 * @param repositories addresses of further repositories, searched after the default one
 * @param defaultRepository address of the first repository; empty for the resolver's own
 * @param directory directory for downloaded files; empty for the user's own
 * @param offline whether only files of this machine may be used
 */
public record PackageRequest(
        List<RequestedPackage> packages,
        List<PackageExclude> excludes,
        List<String> repositories,
        String defaultRepository,
        String directory,
        boolean offline) {
    public PackageRequest {
        packages = List.copyOf(packages);
        excludes = List.copyOf(excludes);
        repositories = List.copyOf(repositories);
    }

    /**
     * Fails with {@code BAD_SETTING} if {@code asked}, the settings of a context, name other packages than {@code
     * resolved}, the settings with which the application was started. A context cannot add packages any more.
     */
    public static void requireResolved(Settings resolved, Settings asked) {
        String key = ApplicationSettings.PACKAGES.name();
        String late = asked.find(key).orElse("");
        if (!late.isBlank() && !late.equals(resolved.find(key).orElse(""))) {
            throw ErrorCode.BAD_SETTING.failure(
                    key + ": " + late + ", set when a context opens (expected: before the"
                            + " application starts, with bin/submit --packages); name the packages there, or add them to the build");
        }
    }

    /** Reads the request of an application from its settings. Fails with {@code BAD_ARGUMENT} or {@code BAD_SETTING}. */
    public static PackageRequest from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        List<RequestedPackage> packages = in.read(ApplicationSettings.PACKAGES).stream()
                .map(RequestedPackage::parse)
                .toList();
        List<PackageExclude> excludes = in.read(ApplicationSettings.PACKAGE_EXCLUDES).stream()
                .map(PackageExclude::parse)
                .toList();
        Set<String> repositories = new LinkedHashSet<>(in.read(ApplicationSettings.PACKAGE_REPOSITORIES));
        packages.forEach(requested -> repositories.addAll(requested.repositories()));
        in.read(ApplicationSettings.PACKAGE_IVY_SETTINGS);
        PackageRequest request = new PackageRequest(
                packages,
                excludes,
                List.copyOf(repositories),
                in.find(ApplicationSettings.PACKAGE_DEFAULT_REPOSITORY).orElse(""),
                in.find(ApplicationSettings.PACKAGE_DIRECTORY).orElse(""),
                in.read(ApplicationSettings.PACKAGES_OFFLINE));
        in.finish();
        return request;
    }
}

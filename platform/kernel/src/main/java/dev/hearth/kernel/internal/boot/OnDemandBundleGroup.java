package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.application.PackagePattern;
import dev.hearth.spi.settings.Settings;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Group of bundles that start on demand. It is declared by {@code reserve.<name>} in a role file, or by the attribute
 * {@code when} in a bundle's manifest ({@link RoleClause}). A trigger is a setting, a prefix of settings ({@code
 * hearth.x.*}), the scheme of a master URL ({@code master:x}) or of another URI ({@code scheme:x}), a service ({@code
 * service:<type>}), an endpoint that another process asks for ({@code endpoint:x}), a package for applications
 * ({@code package:a.b}), or a path without a scheme while a site file exists ({@code paths:X_CONF_DIR/x.xml}).
 * Immutable.
 */
record OnDemandBundleGroup(String name, List<String> bundles, List<String> triggers) {
    static final String MASTER = "master:";
    static final String SERVICE = "service:";
    static final String SCHEME = "scheme:";
    static final String ENDPOINT = "endpoint:";
    static final String PACKAGE = "package:";
    static final String PATHS = "paths:";
    private static final String ANY = "*";
    private static final String OFF = "false";

    OnDemandBundleGroup {
        bundles = List.copyOf(bundles);
        triggers = List.copyOf(triggers);
    }

    /** Whether {@code settings} contains one of the triggering settings, with a value other than {@code false}. */
    boolean isTriggeredBy(Settings settings) {
        return !triggering(settings).isEmpty();
    }

    /** Returns the triggering settings in {@code settings} with a value other than {@code false}. */
    List<String> triggering(Settings settings) {
        return settings.keys().stream()
                .filter(key -> triggers.stream().anyMatch(trigger -> covers(trigger, key))
                        && !OFF.equalsIgnoreCase(settings.find(key).orElse(OFF)))
                .toList();
    }

    boolean offersMasters() {
        return triggers.stream().anyMatch(trigger -> trigger.startsWith(MASTER));
    }

    boolean offersMaster(String scheme) {
        return triggers.contains(MASTER + scheme);
    }

    boolean offersScheme(String scheme) {
        return triggers.contains(SCHEME + scheme);
    }

    boolean offersService(String type) {
        return triggers.contains(SERVICE + type);
    }

    boolean offersEndpoint(String name) {
        return triggers.contains(ENDPOINT + name);
    }

    /** Whether the group starts for paths without a scheme. {@code exists} returns whether there is a site file. */
    boolean servesPaths(Predicate<String> exists) {
        return triggers.stream()
                .anyMatch(trigger -> trigger.startsWith(PATHS) && exists.test(trigger.substring(PATHS.length())));
    }

    /** Whether the group starts for requests of other processes and for nothing else. */
    boolean offersEndpointsOnly() {
        return !triggers.isEmpty() && triggers.stream().allMatch(trigger -> trigger.startsWith(ENDPOINT));
    }

    /** Whether a bundle of the group offers one of the packages {@code wanted} to applications. */
    boolean offersPackages(Collection<PackagePattern> wanted) {
        for (String trigger : triggers) {
            if (trigger.startsWith(PACKAGE)) {
                for (PackagePattern offer : PackagePattern.parse(trigger.substring(PACKAGE.length()))) {
                    if (wanted.stream().anyMatch(offer::covers)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean covers(String trigger, String key) {
        return trigger.endsWith(ANY)
                ? key.startsWith(trigger.substring(0, trigger.length() - ANY.length()))
                : key.equals(trigger);
    }
}

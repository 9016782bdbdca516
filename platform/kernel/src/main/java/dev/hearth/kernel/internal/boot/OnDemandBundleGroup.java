package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.settings.Settings;
import java.util.List;

/**
 * Group of bundles that start on demand. It is declared by {@code reserve.<name>} in a role file, or by the attribute
 * {@code when} in a bundle's manifest ({@link RoleClause}). A trigger is a setting, a prefix of settings ({@code
 * hearth.x.*}), the scheme of a master URL ({@code master:x}), or a service ({@code service:<type>}). Immutable.
 */
record OnDemandBundleGroup(String name, List<String> bundles, List<String> triggers) {
    static final String MASTER = "master:";
    static final String SERVICE = "service:";
    private static final String ANY = "*";
    private static final String OFF = "false";

    OnDemandBundleGroup {
        bundles = List.copyOf(bundles);
        triggers = List.copyOf(triggers);
    }

    /** Whether {@code settings} contains one of the triggering settings, with a value other than {@code false}. */
    boolean isTriggeredBy(Settings settings) {
        return settings.keys().stream()
                .anyMatch(key -> triggers.stream().anyMatch(trigger -> covers(trigger, key))
                        && !OFF.equalsIgnoreCase(settings.find(key).orElse(OFF)));
    }

    boolean offersMasters() {
        return triggers.stream().anyMatch(trigger -> trigger.startsWith(MASTER));
    }

    boolean offersMaster(String scheme) {
        return triggers.contains(MASTER + scheme);
    }

    boolean offersService(Class<?> type) {
        return triggers.contains(SERVICE + type.getName());
    }

    private static boolean covers(String trigger, String key) {
        return trigger.endsWith(ANY)
                ? key.startsWith(trigger.substring(0, trigger.length() - ANY.length()))
                : key.equals(trigger);
    }
}

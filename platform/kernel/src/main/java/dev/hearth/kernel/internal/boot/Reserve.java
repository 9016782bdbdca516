package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.settings.Settings;
import java.util.List;

/**
 * Bundles of a role that start when they are needed: {@code reserve.<name>} of a role file, and {@code reserve.<name>.when}
 * with what they are needed for: a setting, all settings that begin so ({@code hearth.x.*}), the master URLs of a scheme
 * ({@code master:x}), or a service ({@code service:<type>}).
 */
record Reserve(String name, List<String> bundles, List<String> triggers) {
    static final String MASTER = "master:";
    static final String SERVICE = "service:";
    private static final String ANY = "*";
    private static final String OFF = "false";

    Reserve {
        bundles = List.copyOf(bundles);
        triggers = List.copyOf(triggers);
    }

    /** Whether one of its settings is given and is not {@code false}. */
    boolean isAskedForBy(Settings settings) {
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

package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Environment of child processes: that of this process, without secrets. User code of an application runs in children,
 * and it can read their environment.
 * <p>Withheld are the variables from which secret settings are read, those that secret settings refer to, those whose
 * value contains a known secret, and variables of Hearth that children do not read. All others are passed on, as users
 * set variables for their applications. Immutable.
 */
public final class ChildEnvironment {
    private static final String PREFIX = "HEARTH_";
    /** Variable with the directories that Linux and Java search for native libraries. */
    private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";
    /** Environment variables of Hearth that child processes need, although they set no setting. */
    private static final Set<String> READ_BY_CHILDREN =
            Set.of("HEARTH_HOME", "HEARTH_CONF_DIR", "HEARTH_CDS", ChildProcesses.CLASS_ARCHIVE, "HEARTH_TRACE_START");
    /** Minimum length of a secret that is searched for in values: a shorter one may occur by chance. */
    private static final int SOUGHT_CHARACTERS_MIN = 8;

    private final Map<String, String> own;
    private final Set<String> secretVariables;
    private final List<String> secrets;

    /**
     * {@code own} is the environment of this process, from which children inherit. {@code settings} are the settings of
     * this process; their secrets are kept from children.
     */
    public ChildEnvironment(Map<String, String> own, Settings settings) {
        this.own = Map.copyOf(own);
        this.secretVariables = settings.secretVariables();
        this.secrets = List.copyOf(settings.secrets().values());
    }

    /** Returns the environment variables that the child of {@code spec} inherits, by name. */
    Map<String, String> of(ChildSpec spec) {
        List<String> sought = new ArrayList<>(secrets);
        spec.orders().forEach((key, value) -> {
            if (Secrets.isSecret(key)) {
                sought.add(value);
            }
        });
        sought.removeIf(secret -> secret.length() < SOUGHT_CHARACTERS_MIN);
        Set<String> withheld = new TreeSet<>(secretVariables);
        withheld.addAll(spec.withheld());
        Map<String, String> passed = new TreeMap<>();
        own.forEach((name, value) -> {
            if (!withheld.contains(name) && isReadByChildren(name) && !containsAny(value, sought)) {
                passed.put(name, value);
            }
        });
        return passed;
    }

    /**
     * Variables that the application gives to a child, by name; its directories of native libraries precede those that
     * the child inherits.
     */
    static Map<String, String> given(ChildSpec spec, Map<String, String> inherited) {
        Map<String, String> given = new TreeMap<>(spec.options().environment());
        String libraries = spec.options().libraryPath();
        if (!libraries.isBlank()) {
            String others = given.getOrDefault(LIBRARY_PATH, inherited.getOrDefault(LIBRARY_PATH, ""));
            given.put(LIBRARY_PATH, others.isEmpty() ? libraries : libraries + File.pathSeparator + others);
        }
        return given;
    }

    private static boolean isReadByChildren(String name) {
        return !name.startsWith(PREFIX)
                || READ_BY_CHILDREN.contains(name)
                || SettingsSources.variables().containsKey(name);
    }

    private static boolean containsAny(String value, Collection<String> secrets) {
        return secrets.stream().anyMatch(value::contains);
    }
}

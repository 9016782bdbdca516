package dev.hearth.embedded;

import dev.hearth.engine.wiring.EngineParts;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the settings of a context as {@code bin/submit} does: fails on values that break a rule and warns of
 * undeclared keys. Stateless.
 */
final class SettingsCheck {
    /**
     * Settings that nearly every program has, and that are checked anyway by the code that reads them. For an
     * application with no others, the catalogue of settings is not loaded, which saves time at start.
     */
    private static final Set<String> ORDINARY =
            Set.of(ApplicationSettings.MASTER.name(), ApplicationSettings.NAME.name());

    private SettingsCheck() {}

    static void check(Settings properties, Map<String, String> given) {
        Settings settings = properties.with("the application", given);
        if (!ORDINARY.containsAll(settings.keys())) {
            Catalog.check(settings);
        }
        PackageRequest.requireResolved(Settings.empty(), settings); // no resolver of packages is on a plain class path
    }

    /**
     * Checks settings against the catalogue of settings. A separate class, because a start with only {@link #ORDINARY}
     * settings need not load it.
     */
    private static final class Catalog {
        private static final Logger LOG = LoggerFactory.getLogger(SettingsCheck.class);
        private static final String SHIPPED = "settings.tsv";

        static void check(Settings settings) {
            new SettingsCatalog(groups(), Catalog::shipped).check(settings).forEach(LOG::warn);
        }

        private static List<String> shipped() {
            try (InputStream in = Objects.requireNonNull(SettingsCheck.class.getResourceAsStream(SHIPPED), SHIPPED);
                    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                return lines.lines().toList();
            } catch (IOException unreadable) {
                throw ErrorCode.START_FAILED.failure(
                        SHIPPED + ": cannot be read: " + unreadable + " (expected: in the jar of hearth-embedded)",
                        unreadable);
            }
        }
    }

    /** Declares the settings of applications that no single module owns, because several modules read them. */
    private static final class OfApplications implements SettingsGroup {
        @Override
        public String owner() {
            return "submission";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return ApplicationSettings.KEYS;
        }
    }

    private static List<SettingsGroup> groups() {
        List<SettingsGroup> groups = new ArrayList<>();
        groups.add(EngineParts.settings());
        groups.add(new OfApplications());
        OptionalEventLog.settings().ifPresent(groups::add);
        return groups;
    }
}

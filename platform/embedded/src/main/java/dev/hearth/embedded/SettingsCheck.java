package dev.hearth.embedded;

import dev.hearth.engine.wiring.EngineParts;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
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

/** Looks at the settings of a context as a submission would: refuses bad values, warns of keys that nobody knows. */
final class SettingsCheck {
    /** What nearly every program sets; whoever reads them checks them, and no declarations are loaded for them alone. */
    private static final Set<String> ORDINARY =
            Set.of(ApplicationSettings.MASTER.name(), ApplicationSettings.NAME.name());

    private SettingsCheck() {}

    static void check(Settings properties, Map<String, String> given) {
        Settings settings = properties.with("the application", given);
        if (!ORDINARY.containsAll(settings.keys())) {
            Catalog.check(settings);
        }
    }

    /** A class of its own, so that an ordinary start does not load what it uses. */
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

    /** The settings of applications that several rooms read. */
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
        EventLogs.settings().ifPresent(groups::add);
        return groups;
    }
}

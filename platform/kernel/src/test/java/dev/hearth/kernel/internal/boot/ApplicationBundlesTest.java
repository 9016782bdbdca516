package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class ApplicationBundlesTest {
    private static final SettingKey<Boolean> SHOWN = SettingKey.flag("hearth.ui.enabled", false, "Shows pages.");

    @TempDir
    Path lib;

    private final List<Settings> started = new ArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @Test
    void namesTheBundlesOfSettingsThatHaveNoEffect() throws IOException {
        Files.writeString(
                lib.resolve("bundles.tsv"),
                "role:x\thearth-x\nsetting:hearth.eventLog.*\thearth-event-log\nsetting:hearth.ui.enabled\thearth-ui\n");
        SettingsGroup shown = new SettingsGroup() {
            @Override
            public String owner() {
                return "ui";
            }

            @Override
            public List<SettingKey<?>> keys() {
                return List.of(SHOWN);
            }
        };
        ApplicationBundles bundles = new ApplicationBundles(
                started::add, () -> new SettingsCatalog(List.of(shown), lib), new BundleHints(lib));
        Logger logger = (Logger) LoggerFactory.getLogger(ApplicationBundles.class);
        log.start();
        logger.addAppender(log);
        try {
            bundles.startFor(settings("hearth.eventLog.enabled", "false"));
            bundles.startFor(settings("hearth.ui.enabled", "true"));
            assertEquals(List.of(), log.list);
            bundles.startFor(settings("hearth.eventLog.enabled", "true"));
            bundles.startFor(settings("hearth.eventLog.enabled", "true"));
        } finally {
            logger.detachAppender(log);
        }
        assertEquals(4, started.size());
        assertEquals(
                List.of("hearth.eventLog.enabled: has no effect, because no bundle of this process reads it (expected:"
                        + " hearth-event-log); put hearth-event-log into bundles/ or deploy/"),
                log.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
    }

    private static Settings settings(String key, String value) {
        return Settings.empty().with("test", key, value);
    }
}

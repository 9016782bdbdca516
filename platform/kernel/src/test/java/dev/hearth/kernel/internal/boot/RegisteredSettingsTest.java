package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;

/** In a real framework: declarations follow their services, and a broken one does not affect the others. */
class RegisteredSettingsTest {
    private static final Settings GIVEN = Settings.empty().with("test", "hearth.red.size", "1");

    @TempDir
    Path directory = Path.of("");

    private Framework framework;

    @BeforeEach
    void startFramework() throws Exception {
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE, directory.resolve("cache").toString()));
        framework.start();
    }

    @AfterEach
    void stopFramework() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
    }

    @Test
    void knowsWhatIsDeclaredAtTheMoment() {
        BundleContext context = framework.getBundleContext();
        RegisteredSettings live = new RegisteredSettings(context, directory);
        assertEquals(1, live.catalog().check(GIVEN).size());
        ServiceRegistration<SettingsGroup> red = context.registerService(SettingsGroup.class, new Red(), null);
        SettingsCatalog then = live.catalog();
        assertEquals(List.of(), then.check(GIVEN));
        assertEquals("red", then.describe(GIVEN).get(0).owner());
        red.unregister();
        assertEquals(1, live.catalog().check(GIVEN).size());
        assertEquals(List.of(), then.check(GIVEN));
    }

    @Test
    void leavesOutAGroupThatCannotSay() {
        BundleContext context = framework.getBundleContext();
        context.registerService(SettingsGroup.class, new Broken(), null);
        context.registerService(SettingsGroup.class, new Red(), null);
        assertEquals(
                List.of(), new RegisteredSettings(context, directory).catalog().check(GIVEN));
    }

    private static final class Red implements SettingsGroup {
        @Override
        public String owner() {
            return "red";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return List.of(SettingKey.integer("hearth.red.size", 1, 1, 9, "A size."));
        }
    }

    private static final class Broken implements SettingsGroup {
        @Override
        public String owner() {
            return "broken";
        }

        @Override
        public List<SettingKey<?>> keys() {
            throw new IllegalStateException("broken on purpose");
        }
    }
}

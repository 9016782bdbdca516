package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catalogue of the settings that registered services declare. Each call obtains these services and releases them before
 * it returns. The list of the installation is read once, since each request of a daemon asks for a catalogue.
 */
final class RegisteredSettings implements DeclaredSettings {
    private static final Logger LOG = LoggerFactory.getLogger(RegisteredSettings.class);

    private final BundleContext context;
    private final Supplier<List<String>> list;

    RegisteredSettings(BundleContext context, Path home) {
        this.context = context;
        this.list = SettingsCatalog.listOf(home);
    }

    @Override
    public SettingsCatalog catalog() {
        List<SettingsGroup> groups = new ArrayList<>();
        List<ServiceReference<SettingsGroup>> taken = new ArrayList<>();
        try {
            for (ServiceReference<SettingsGroup> reference : context.getServiceReferences(SettingsGroup.class, null)) {
                SettingsGroup group = context.getService(reference);
                if (group != null) { // null: unregistered meanwhile
                    taken.add(reference);
                    declared(group).ifPresent(groups::add);
                }
            }
            return new SettingsCatalog(groups, list);
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible); // impossible, because no filter was given
        } finally {
            taken.forEach(context::ungetService);
        }
    }

    /** Copies the declarations of {@code group}. If the group's code fails, logs a warning and returns empty. */
    private static Optional<SettingsGroup> declared(SettingsGroup group) {
        try {
            return Optional.of(new Declared(group.owner(), List.copyOf(group.keys())));
        } catch (RuntimeException | LinkageError failure) {
            LOG.warn("settings of {}: ignored: {}", group.getClass().getName(), failure.toString());
            return Optional.empty();
        }
    }

    private record Declared(String owner, List<SettingKey<?>> keys) implements SettingsGroup {}
}

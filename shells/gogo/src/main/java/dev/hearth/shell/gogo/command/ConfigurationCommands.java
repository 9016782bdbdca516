package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Command that shows the settings of the process. Created for each call; stateless. */
@Component(
        service = ConfigurationCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Process",
            CommandProcessor.COMMAND_FUNCTION + "=conf"
        })
public final class ConfigurationCommands {
    private static final String ALL = "--all";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable KernelInfo kernel;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable DeclaredSettings declared;

    @Descriptor("""
            Lists settings and their origin; hides secrets.
            conf [PREFIX] [--all] [--json]   --all: also those with their default
            Example: conf hearth.executor --all""")
    public void conf(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "conf", arguments, 1, ALL);
        String prefix = call.word(0).orElse("");
        Settings settings = call.need(kernel, KernelInfo.class).settings();
        SettingsCatalog catalog = call.need(declared, DeclaredSettings.class).catalog();
        Table.Builder table = Table.of("key", "value", "origin", "owner");
        for (SettingsCatalog.Description one : catalog.describe(settings)) {
            boolean given = settings.origin(one.key()).isPresent();
            if (one.key().startsWith(prefix) && (given || call.has(ALL))) {
                table.row(
                        OutputValue.of(one.key()),
                        OutputValue.of(one.value()),
                        OutputValue.of(one.origin()),
                        OutputValue.of(one.owner()));
            }
        }
        call.answer(table.build("no such setting is set; --all lists defaults"));
    }
}

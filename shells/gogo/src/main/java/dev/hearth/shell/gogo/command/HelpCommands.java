package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Inventory;
import dev.hearth.spi.settings.SpellingSuggestion;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Lists commands by topic, and shows how to use one. Created for each call; stateless. */
@Component(
        service = HelpCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Shell",
            CommandProcessor.COMMAND_FUNCTION + "=help"
        })
public final class HelpCommands {
    /** First word of the lines of a description that are examples. */
    static final String EXAMPLE = "Example: ";

    private static final String OTHER = "Other";
    private static final List<String> TOPICS =
            List.of("Cluster", "Jobs", "Bundles", "Process", "Log", "Filters", "Shell", OTHER);

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Inventory inventory;

    @Descriptor("""
            Lists the commands, or shows how to use one.
            help [COMMAND] [--json]
            Example: help log""")
    public void help(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "help", arguments, 1);
        SortedMap<String, String> known = CommandCatalog.described(session);
        Optional<String> wanted = call.word(0);
        if (wanted.isPresent()) {
            call.answer(usage(wanted.get(), known));
            return;
        }
        Map<String, String> topics = topics();
        List<String> names = known.keySet().stream()
                .sorted(Comparator.comparing((String name) -> place(topics.getOrDefault(name, OTHER)))
                        .thenComparing(name -> topics.getOrDefault(name, OTHER))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        Table.Builder table = Table.of("topic", "command", "what");
        String before = "";
        for (String name : names) {
            OutputValue topic = OutputValue.of(topics.getOrDefault(name, OTHER));
            table.row(
                    topic.shown().equals(before) ? topic.shownAs("") : topic,
                    OutputValue.of(CommandCatalog.shortName(name, known.keySet())),
                    OutputValue.of(firstLine(known.get(name))));
            before = topic.shown();
        }
        call.answer(table.build("no commands"));
    }

    private static int place(String topic) {
        int place = TOPICS.indexOf(topic);
        return place < 0 ? TOPICS.size() : place;
    }

    /** Returns the topics of the commands, by name; that of a command of another bundle is the name of its bundle. */
    private Map<String, String> topics() {
        Map<String, String> topics = new LinkedHashMap<>();
        Inventory present = inventory;
        for (Inventory.ServiceEntry service :
                present == null ? List.<Inventory.ServiceEntry>of() : present.services()) {
            Map<String, String> properties = service.properties();
            String functions = properties.getOrDefault(CommandProcessor.COMMAND_FUNCTION, "");
            String scope = properties.getOrDefault(CommandProcessor.COMMAND_SCOPE, "");
            boolean isOurs = scope.equals(CommandCall.SCOPE);
            String topic = properties.getOrDefault(CommandCall.TOPIC, isOurs ? OTHER : service.bundle());
            Stream.of(functions.split(",", -1)).forEach(function -> topics.put(scope + ":" + function, topic));
        }
        return topics;
    }

    private static FieldList usage(String wanted, SortedMap<String, String> known) {
        String name = CommandCatalog.find(wanted, known.keySet()).orElseThrow(() -> unknown(wanted, known));
        String text = known.getOrDefault(name, "");
        FieldList.Builder usage = FieldList.begin()
                .fact("command", OutputValue.of(name))
                .fact("what", OutputValue.of(firstLine(text)))
                .fact("use", OutputValue.of(CommandCatalog.usage(text)));
        String examples = text.lines()
                .filter(line -> line.startsWith(EXAMPLE))
                .map(line -> line.substring(EXAMPLE.length()))
                .collect(Collectors.joining("\n"));
        if (!examples.isEmpty()) {
            usage.fact("examples", OutputValue.of(examples));
        }
        return usage.build();
    }

    private static RuntimeException unknown(String wanted, SortedMap<String, String> known) {
        List<String> names = known.keySet().stream()
                .map(name -> CommandCatalog.shortName(name, known.keySet()))
                .toList();
        return ErrorCode.BAD_ARGUMENT.failure("command '" + wanted + "': unknown (expected: one that 'help' lists)"
                + SpellingSuggestion.nearest(wanted, names)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(""));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}

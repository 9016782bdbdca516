package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.PageFormat;
import dev.hearth.spi.error.ErrorCode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Process;
import org.jspecify.annotations.Nullable;

/** Call of a command, with its arguments and the layout of its output. Used by one thread. */
public final class CommandCall {
    /**
     * Name of the variable of a shell session that contains the number of characters per output line. Unix shells use
     * the same name.
     */
    public static final String WIDTH = "COLUMNS";
    /** Name of the variable of a shell session that says whether output may contain colours. */
    public static final String COLOURS = "hearth.colours";

    /** Scope of the commands of Hearth. */
    public static final String SCOPE = "hearth";
    /** Service property of a command: the title under which {@code help} lists it. */
    public static final String TOPIC = "hearth.command.topic";

    private static final String JSON = "--json";

    private final CommandSession session;
    private final String command;
    private final String help; // words that show the usage
    private final Set<String> switches = new LinkedHashSet<>();
    private final Map<String, String> options = new LinkedHashMap<>(); // options with values
    private final List<String> words = new ArrayList<>();

    private CommandCall(CommandSession session, String command, String help) {
        this.session = session;
        this.command = command;
        this.help = help;
    }

    /** Call without arguments, for an option of {@code hearth exec}; its failures begin with {@code option}. */
    static CommandCall ofOption(CommandSession session, String option) {
        return new CommandCall(session, option, "hearth exec --help");
    }

    /**
     * Parses the {@code arguments} of the command {@code command}. They may contain the options in {@code switches},
     * {@code --json}, and at most {@code wordsMax} other words. An option that ends with {@code =} in {@code switches},
     * such as {@code --state=}, has a value: its next argument, or the text after its {@code =}.
     */
    static CommandCall of(
            CommandSession session, String command, String[] arguments, int wordsMax, String... switches) {
        String name = command.contains(":") ? command : SCOPE + ":" + command;
        CommandCall call = new CommandCall(session, name, "help " + name);
        Set<String> known = new LinkedHashSet<>(List.of(switches));
        known.add(JSON);
        Iterator<String> left = Arrays.asList(arguments).iterator();
        while (left.hasNext()) {
            String argument = left.next();
            if (argument.startsWith("-")) {
                call.option(argument, known, left);
            } else {
                call.words.add(argument);
            }
        }
        if (call.words.size() > wordsMax) {
            throw call.misused("unexpected argument '" + call.words.get(wordsMax) + "' (expected: "
                    + (wordsMax == 0
                            ? "no arguments"
                            : "at most " + wordsMax + (wordsMax == 1 ? " argument" : "" + " arguments"))
                    + ")");
        }
        return call;
    }

    private void option(String argument, Set<String> known, Iterator<String> left) {
        int equals = argument.indexOf('=');
        String name = equals < 0 ? argument : argument.substring(0, equals);
        if (known.contains(name + "=")) {
            if (equals < 0 && !left.hasNext()) {
                throw misused("option " + name + " without a value (expected: " + name + " VALUE)");
            }
            options.put(name, equals < 0 ? left.next() : argument.substring(equals + 1));
        } else if (known.contains(argument)) {
            switches.add(argument);
        } else {
            List<String> names =
                    known.stream().map(each -> each.replace("=", " VALUE")).toList();
            throw misused("unknown option '" + argument + "' (expected: " + (names.size() == 1 ? "" : "one of ")
                    + String.join(", ", names) + ")");
        }
    }

    /** Returns the value of the option {@code name}, such as {@code --state}; empty if it was not given. */
    Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    boolean has(String name) {
        return switches.contains(name);
    }

    Optional<String> word(int place) {
        return place < words.size() ? Optional.of(words.get(place)) : Optional.empty();
    }

    /**
     * Returns the mandatory argument number {@code place}, counted from 0. If it is missing, fails with an error that
     * describes it as {@code what}.
     */
    String need(int place, String what) {
        return word(place).orElseThrow(() -> misused("argument " + (place + 1) + " missing (expected: " + what + ")"));
    }

    /**
     * Returns {@code service}. Fails, with an error that names {@code type}, if it is null, that is, if this process
     * does not have the service.
     */
    <T> T need(@Nullable T service, Class<T> type) {
        if (service == null) {
            throw ErrorCode.NO_PROVIDER.failure(command + ": no service " + type.getSimpleName()
                    + " in this process (expected: one); hearth:services lists what there is");
        }
        return service;
    }

    /**
     * Returns the failure of this command for the case that it needs a running application and none runs in this
     * process.
     */
    RuntimeException noApplication() {
        return impossible("no application runs in this process (expected: one that runs); use --to with the id of an"
                + " application, or HOST:PORT of its driver");
    }

    /** Returns the failure of this command for the case that this process lacks what it needs. */
    RuntimeException impossible(String found) {
        return ErrorCode.NO_PROVIDER.failure(command + ": " + found);
    }

    RuntimeException misused(String found) {
        return ErrorCode.BAD_ARGUMENT.failure(command + ": " + found + "; see '" + help + "'");
    }

    /** Returns the destination of the command's output: a terminal, a pipe or a file. */
    PrintStream out() {
        Process process = Process.Utils.current();
        return process == null ? session.getConsole() : process.out();
    }

    /** Returns the destination of the command's errors. */
    PrintStream err() {
        Process process = Process.Utils.current();
        return process == null ? session.getConsole() : process.err();
    }

    /** Whether the output of the command goes to a terminal that may be redrawn, of this or of another process. */
    boolean isRedrawable() {
        return hasColours(session, Process.Utils.current());
    }

    boolean isJson() {
        return has(JSON);
    }

    /** Writes the output to the destination of the command. */
    void answer(CommandOutput answer) {
        PrintStream out = out();
        if (has(JSON)) {
            out.println(answer.json());
        } else {
            out.print(answer.text(page(session, Process.Utils.current())));
        }
        out.flush();
    }

    /** Whether the output of a command may contain colours: it goes to a terminal of a user who wants colours. */
    public static boolean hasColours(CommandSession session, @Nullable Process process) {
        return process != null && process.isTty(1) && Boolean.parseBoolean(String.valueOf(session.get(COLOURS)));
    }

    private static PageFormat page(CommandSession session, @Nullable Process process) {
        boolean ends = process == null || process.isTty(1); // else the next command of a pipe, or a file, reads it
        Object width = ends ? session.get(WIDTH) : Integer.valueOf(PageFormat.WIDTH_UNLIMITED);
        boolean colours = hasColours(session, process);
        try {
            return PageFormat.of(Integer.parseInt(String.valueOf(width)), colours);
        } catch (NumberFormatException unset) {
            // the default width, because a user may have set the variable to any value
            return PageFormat.of(PageFormat.WIDTH_DEFAULT, colours);
        }
    }
}

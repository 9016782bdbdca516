package dev.hearth.shell.gogo.text;

import dev.hearth.shell.gogo.command.CommandCall;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Process;
import org.osgi.service.component.annotations.Component;

/** Commands that filter lines of a pipe or of files, as those of Unix do. Created for each call; stateless. */
@Component(
        service = FilterCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Filters",
            CommandProcessor.COMMAND_FUNCTION + "=grep",
            CommandProcessor.COMMAND_FUNCTION + "=head",
            CommandProcessor.COMMAND_FUNCTION + "=tail",
            CommandProcessor.COMMAND_FUNCTION + "=sort",
            CommandProcessor.COMMAND_FUNCTION + "=uniq",
            CommandProcessor.COMMAND_FUNCTION + "=wc",
            CommandProcessor.COMMAND_FUNCTION + "=cat",
            CommandProcessor.COMMAND_FUNCTION + "=less",
            CommandProcessor.COMMAND_FUNCTION + "=echo"
        })
public final class FilterCommands {
    /** Number of characters that {@code sort} and {@code tail} keep in memory at most. */
    static final int KEPT_CHARACTERS_MAX = 32 << 20;

    private static final int LINES_DEFAULT = 10;
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    @Descriptor("""
            Prints the lines that match a regular expression.
            grep [-i] [-v] [-n] [-c] [-E] EXPRESSION [FILE...]
              -i  upper and lower case match    -v  lines that do not match
              -n  with line numbers             -c  only the number of lines
              -E  no effect: all expressions are extended ones
            Example: bundles | grep -i rpc""")
    public void grep(CommandSession session, String[] arguments) throws IOException {
        FilterOptions options = FilterOptions.parse("grep", arguments, "ivncE", "");
        SearchPattern pattern = new SearchPattern(
                options.first().orElseThrow(() -> FilterOptions.misused("grep", "no expression (expected: one)")),
                options.has('i'));
        Process process = Process.Utils.current();
        boolean paints = !options.has('v') && CommandCall.hasColours(session, process);
        PrintStream out = process.out();
        try (BoundedLines lines = lines(session, options, 1)) {
            int number = 0;
            int found = 0;
            for (String line = lines.next(); line != null && !out.checkError(); line = lines.next()) {
                number++;
                if (pattern.isIn(line) == options.has('v')) {
                    continue;
                }
                found++;
                if (!options.has('c')) {
                    out.println((options.has('n') ? number + ":" : "") + (paints ? pattern.painted(line) : line));
                }
            }
            if (options.has('c')) {
                out.println(found);
            }
        }
    }

    @Descriptor("""
            Prints the first lines.
            head [-n NUMBER] [FILE...]   NUMBER: 10
            Example: services | head -n 5""")
    public void head(CommandSession session, String[] arguments) throws IOException {
        FilterOptions options = FilterOptions.parse("head", arguments, "", "n");
        int left = options.number('n', LINES_DEFAULT);
        PrintStream out = Process.Utils.current().out();
        try (BoundedLines lines = lines(session, options, 0)) {
            while (left-- > 0 && !out.checkError()) {
                String line = lines.next();
                if (line == null) {
                    return;
                }
                out.println(line);
            }
        }
    }

    @Descriptor("""
            Prints the last lines.
            tail [-n NUMBER] [FILE...]   NUMBER: 10
            Example: threads | tail -n 3""")
    public void tail(CommandSession session, String[] arguments) throws IOException {
        FilterOptions options = FilterOptions.parse("tail", arguments, "", "n");
        int max = options.number('n', LINES_DEFAULT);
        Deque<String> last = new ArrayDeque<>();
        long characters = 0;
        try (BoundedLines lines = lines(session, options, 0)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                last.addLast(line);
                characters += line.length();
                if (last.size() > max) {
                    characters -= last.removeFirst().length();
                }
                checkKept("tail", characters);
            }
        }
        last.forEach(Process.Utils.current().out()::println);
    }

    @Descriptor("""
            Sorts lines.
            sort [-n] [-r] [-u] [-k FIELD] [FILE...]
              -n  by number    -r  descending    -u  only one of equal lines
              -k  by this field, counted from 1 and separated by blanks
            Example: rpc | sort -n -r -k 12""")
    public void sort(CommandSession session, String[] arguments) throws IOException {
        FilterOptions options = FilterOptions.parse("sort", arguments, "nru", "k");
        Comparator<String> order = LineOrder.of(options);
        List<String> all = new ArrayList<>();
        long characters = 0;
        try (BoundedLines lines = lines(session, options, 0)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                all.add(line);
                characters += line.length();
                checkKept("sort", characters);
            }
        }
        all.sort(order);
        PrintStream out = Process.Utils.current().out();
        if (options.has('u')) {
            TreeSet<String> distinct = new TreeSet<>(order);
            distinct.addAll(all);
            distinct.forEach(out::println);
        } else {
            all.forEach(out::println);
        }
    }

    @Descriptor("""
            Drops lines that repeat the line before.
            uniq [-c] [-d] [FILE...]
              -c  with the number of repetitions    -d  only repeated lines
            Example: log:display | sort | uniq -c""")
    public void uniq(CommandSession session, String[] arguments) throws IOException {
        FilterOptions options = FilterOptions.parse("uniq", arguments, "cd", "");
        PrintStream out = Process.Utils.current().out();
        try (BoundedLines lines = lines(session, options, 0)) {
            String before = lines.next();
            int count = 1;
            while (before != null && !out.checkError()) {
                String line = lines.next();
                if (before.equals(line)) {
                    count++;
                    continue;
                }
                if (count > 1 || !options.has('d')) {
                    out.println(options.has('c') ? String.format("%7d %s", count, before) : before);
                }
                before = line;
                count = 1;
            }
        }
    }

    @Descriptor("""
            Counts lines, words and characters.
            wc [-l] [-w] [-m] [FILE...]
              -l  only lines    -w  only words    -m  only characters
            Example: services | wc -l""")
    public void wc(CommandSession session, String[] arguments) throws IOException {
        FilterOptions options = FilterOptions.parse("wc", arguments, "lwm", "");
        long count = 0;
        long words = 0;
        long characters = 0;
        try (BoundedLines lines = lines(session, options, 0)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                count++;
                words += line.isBlank() ? 0 : BLANKS.split(line.strip(), -1).length;
                characters += line.length() + 1;
            }
        }
        boolean all = options.options().isEmpty();
        List<String> counts = new ArrayList<>();
        for (char letter : "lwm".toCharArray()) {
            if (all || options.has(letter)) {
                counts.add(String.valueOf(letter == 'l' ? count : letter == 'w' ? words : characters));
            }
        }
        Process.Utils.current().out().println(String.join(" ", counts));
    }

    @Descriptor("""
            Prints files, or the lines of a pipe.
            cat [-n] [FILE...]   FILE: on the machine of that kernel
              -n  with line numbers
            Example: cat conf/hearth-defaults.conf | grep memory""")
    public void cat(CommandSession session, String[] arguments) throws IOException {
        FilterOptions options = FilterOptions.parse("cat", arguments, "n", "");
        PrintStream out = Process.Utils.current().out();
        try (BoundedLines lines = lines(session, options, 0)) {
            int number = 0;
            for (String line = lines.next(); line != null && !out.checkError(); line = lines.next()) {
                out.println(options.has('n') ? String.format("%6d  %s", ++number, line) : line);
            }
        }
    }

    @Descriptor("""
            Pages output at a terminal; elsewhere prints it.
            less   at the end of a line; Space: next page, b: back, /TEXT: search, q: end
            Example: threads --dump | less""")
    public void less(CommandSession session, String[] arguments) throws IOException {
        FilterOptions.parse("less", arguments, "", "");
        cat(session, arguments);
    }

    @Descriptor("""
            Prints its arguments.
            echo [-n] [TEXT...]   -n: without a line end
            Example: echo $COLUMNS""")
    public void echo(CommandSession session, String[] arguments) {
        boolean endsLine = arguments.length == 0 || !arguments[0].equals("-n");
        String text = String.join(" ", List.of(arguments).subList(endsLine ? 0 : 1, arguments.length));
        PrintStream out = Process.Utils.current().out();
        out.print(text + (endsLine ? "\n" : ""));
        out.flush();
    }

    /** Opens the files that are named from the word number {@code from} on, or the pipe if there are none. */
    private static BoundedLines lines(CommandSession session, FilterOptions options, int from) throws IOException {
        List<String> files = options.words()
                .subList(Math.min(from, options.words().size()), options.words().size());
        Process process = Process.Utils.current();
        if (files.isEmpty()) {
            if (process.isTty(0)) {
                throw FilterOptions.misused(options.command(), "no input (expected: lines of a pipe, or a file)");
            }
            return new BoundedLines(process.in(), options.command());
        }
        List<InputStream> opened = new ArrayList<>();
        for (String file : files) {
            try {
                Path path = session.currentDir().resolve(file);
                if (!Files.isRegularFile(path)) {
                    throw ErrorCode.PATH_MISSING.failure(
                            "hearth:" + options.command() + ": '" + file + "': no such file (expected: a file)");
                }
                opened.add(Files.newInputStream(path));
            } catch (InvalidPathException e) {
                throw FilterOptions.misused(options.command(), "'" + file + "' (expected: the path of a file)");
            }
        }
        return new BoundedLines(new SequenceInputStream(Collections.enumeration(opened)), options.command());
    }

    private static void checkKept(String command, long characters) {
        if (characters > KEPT_CHARACTERS_MAX) {
            throw ErrorCode.COMMAND_FAILED.failure("hearth:" + command + ": more than " + KEPT_CHARACTERS_MAX
                    + " characters (expected: fewer); filter the lines first");
        }
    }
}

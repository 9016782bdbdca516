package dev.hearth.shell.gogo.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.shell.gogo.command.CommandCall;
import dev.hearth.spi.error.Failures;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Process;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters in pipes of the command language and on files. */
@Timeout(60)
class FilterCommandsTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final CommandProcessorImpl processor = new CommandProcessorImpl(null);
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session = processor.createSession(InputStream.nullInputStream(), out, out);

    @TempDir
    Path directory;

    FilterCommandsTest() {
        for (String name : new String[] {"grep", "head", "tail", "sort", "uniq", "wc", "cat", "less", "echo"}) {
            processor.addCommand("hearth", new FilterCommands(), name);
        }
        processor.addCommand("test", this, "lines");
        processor.addCommand("test", this, "endless");
        session.put("SCOPE", "hearth:gogo:*");
    }

    /** Prints the lines that slashes separate. */
    public void lines(String text) {
        PrintStream to = Process.Utils.current().out();
        text.lines().forEach(all -> {
            for (String line : all.split("/", -1)) {
                to.println(line);
            }
        });
    }

    /** Prints lines until the reader needs no more. */
    public void endless() {
        PrintStream to = Process.Utils.current().out();
        while (!to.checkError()) {
            to.println("more");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "one/two/Three      ; grep o                 ; one/two",
                "one/two/Three      ; grep -v o              ; Three",
                "one/two/Three      ; grep -i t              ; two/Three",
                "one/two/Three      ; grep -n T              ; 3:Three",
                "one/two/Three      ; grep -ic t             ; 2",
                "one/two/Three      ; grep -E '^(one|two)$'  ; one/two",
                "one/-v/Three       ; grep -- -v             ; -v",
                "1/2/3/4            ; head -n 2              ; 1/2",
                "1/2/3/4            ; head -3                ; 1/2/3",
                "1/2/3/4            ; head -n0 ; ",
                "1/2/3/4            ; tail -n 2              ; 3/4",
                "1/2/3/4            ; tail -1                ; 4",
                "b/a/c              ; sort                   ; a/b/c",
                "b/a/c              ; sort -r                ; c/b/a",
                "10/9/x/-1          ; sort -n                ; x/-1/9/10",
                "a 10/b 9/c 100     ; sort -rnk2             ; c 100/a 10/b 9",
                "b/a/b/a            ; sort -u                ; a/b",
                "a/a/b/a            ; uniq                   ; a/b/a",
                "a/a/b/a            ; uniq -d                ; a",
                "a/a/b              ; uniq -c                ; ~      2 a/      1 b~",
                "one two/three//    ; wc                     ; 4 3 16",
                "one two/three      ; wc -l                  ; 2",
                "one two/three      ; wc -wl                 ; 2 3",
                "one/two            ; cat -n                 ; ~     1  one/     2  two~",
                "one/two            ; less                   ; one/two",
                "a/b/c/d            ; grep -v b | tail -n 2 | sort -r ; d/c"
            })
    void filtersLines(String lines, String filter, String filtered) throws Exception {
        session.execute("lines '" + lines + "' | " + filter.replace("\\|", "|"));
        assertEquals(filtered == null ? "" : filtered + "/", shown().replace('\n', '/'));
    }

    @Test
    void readsFiles() throws Exception {
        Path file = Files.writeString(directory.resolve("a file"), "Köln\nBonn");
        session.execute("grep n '" + file + "' '" + file + "'; cat '" + file + "' | wc -l; head -n 1 '" + file + "'");
        assertEquals("Köln\nBonnKöln\nBonn\n2\nKöln\n", shown().replace("BonnKöln", "BonnKöln"));
    }

    @Test
    void coloursMatchesAtATerminalAlone() throws Exception {
        session.put(CommandCall.COLOURS, true);
        session.execute("lines 'one two' | grep '[ow]' | cat; lines 'one two' | grep '[ow]'");
        String red = "\u001b[1;31m";
        String plain = "\u001b[0m";
        assertEquals("one two\n" + red + "o" + plain + "ne t" + red + "w" + plain + red + "o" + plain + "\n", shown());
    }

    @Test
    void endsACommandWhoseReaderNeedsNoMore() throws Exception {
        session.execute("endless | head -n 1");
        assertEquals("more\n", shown());
    }

    @Test
    void printsItsArguments() throws Exception {
        session.execute("x = one; echo $x 'two  words'; echo -n three");
        assertEquals("one two  words\nthree", shown());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grep x              | hearth:grep: no input (expected: lines of a pipe, or a file); see 'help grep'",
                "grep                | hearth:grep: no expression (expected: one); see 'help grep'",
                "grep -x y           | hearth:grep: '-x' (expected: one of -i, -v, -n, -c, -E); see 'help grep'",
                "grep '('            | hearth:grep: '(': Unclosed group (expected: a regular expression)",
                "head -n             | hearth:head: '-n' (expected: one of -n NUMBER); see 'help head'",
                "head -n many        | hearth:head: -n 'many' (expected: a whole number); see 'help head'",
                "cat nosuch          | hearth:cat: 'nosuch': no such file (expected: a file)"
            })
    void saysWhatIsWrong(String line, String message) {
        Exception failure = assertThrows(Exception.class, () -> session.execute(line));
        String found = String.valueOf(Failures.unwrap(failure).getMessage());
        assertTrue(found.startsWith(message), found);
    }

    @Test
    void refusesLinesThatDoNotFitIntoMemory() throws Exception {
        Path file = directory.resolve("one line");
        Files.writeString(file, "x".repeat(BoundedLines.LINE_CHARACTERS_MAX + 1));
        Exception failure = assertThrows(Exception.class, () -> session.execute("wc '" + file + "'"));
        assertTrue(String.valueOf(failure.getMessage()).contains("a line with more than 1048576 characters"));
    }

    private String shown() {
        return output.toString(StandardCharsets.UTF_8);
    }
}

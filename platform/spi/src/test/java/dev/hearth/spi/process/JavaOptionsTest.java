package dev.hearth.spi.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JavaOptionsTest {
    static Stream<Arguments> texts() {
        return Stream.of(
                words("a b c d e", "a", "b", "c", "d", "e"),
                words("a 'b c' \"d\" e", "a", "b c", "d", "e"),
                words("a 'b\\\"c' \"'d'\" e", "a", "b\\\"c", "'d'", "e"),
                words("a 'b\"c' \"\\\"d\\\"\" e", "a", "b\"c", "\"d\"", "e"),
                words(" a b c \\\\ ", "a", "b", "c", "\\"),
                words(""),
                words("aaa", "aaa"),
                words("  a   b\t c ", "a", "b", "c"),
                words("'b c'", "b c"),
                words("a \"b c\" d", "a", "b c", "d"),
                words("a 'b\" c' \"d' e\"", "a", "b\" c", "d' e"),
                words("a\t'b\nc'\nd", "a", "b\nc", "d"),
                words("a \"b\\\\c\"", "a", "b\\c"),
                words("a \"b\\\"c\"", "a", "b\"c"),
                words("'a'b", "ab"),
                words("'a''b'", "ab"),
                words("\"a\"b", "ab"),
                words("\"a\"\"b\"", "ab"),
                words("''", ""),
                words("\"\"", ""));
    }

    private static Arguments words(String text, String... words) {
        return Arguments.of(text, List.of(words));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void splitsATextAsAShellDoes(String text, List<String> words) {
        assertEquals(Optional.of(words), JavaOptions.words(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"abcde", "'abcde"})
    void refusesAQuoteThatIsNotClosed(String text) {
        assertEquals(Optional.empty(), JavaOptions.words(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\", "-Da \\", "-Xmx1g", "-jar"})
    void refusesWhatIsNoOption(String text) {
        assertEquals(false, JavaOptions.areOfDriver(text));
    }
}

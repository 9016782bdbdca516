package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.junit.jupiter.api.Test;

/** Commands of other bundles, whose names need not be names of Java. */
class CommandCatalogTest {
    private static final String NAME = "hearth:two-words";

    private final CommandProcessorImpl processor = new CommandProcessorImpl(null);
    private final PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private final CommandSession session = processor.createSession(InputStream.nullInputStream(), out, out);

    CommandCatalogTest() {
        processor.addCommand("hearth", new TwoWords(), "two-words");
    }

    /** Command that returns the words it is called with. */
    public static final class TwoWords {
        /** Called by gogo with the name of the command as the first word. */
        @Descriptor("Returns its words.\ntwo-words WORD...")
        @SuppressWarnings("MemberName") // gogo calls a method of this name for any command
        public String _main(String[] words) {
            return String.join(" ", words);
        }
    }

    @Test
    void callsAndDescribesACommandWithAHyphen() throws Exception {
        assertEquals("two-words a b", session.execute(NAME + " a b"));
        assertEquals(Map.of(NAME, "Returns its words.\ntwo-words WORD..."), CommandCatalog.described(session));
    }
}

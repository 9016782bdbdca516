package dev.hearth.engine.user;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Functions and elements that cannot travel, as an application outside of our packages has them. */
class UserMistakesTest {
    private final UserObjectSerializer objects = new UserObjectSerializer(UserMistakesTest.class.getClassLoader());

    /** Cannot travel. */
    private static final class Connection {}

    private static class Service implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"serial", "UnusedVariable"}) // on purpose
        final Connection connection = new Connection();
    }

    private record Settings(String name, Map<String, List<Service>> services) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private static final class Faulty implements Serializable {
        private static final long serialVersionUID = 1L;
        private final boolean whenWritten;

        Faulty(boolean whenWritten) {
            this.whenWritten = whenWritten;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            if (whenWritten) {
                throw new IllegalStateException("not today");
            }
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            throw new IOException("not there either");
        }
    }

    private static final class Chain implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"serial", "UnusedVariable"})
        private final Object next;

        Chain(Object next) {
            this.next = next;
        }
    }

    @Test
    void namesTheWayFromTheFunctionToWhatCannotTravelAndTheLineThatGaveIt() {
        int harmless = 3;
        Service service = new Service();
        MapFunction<Integer, String> function = number -> number + harmless + service.toString();
        HearthException failure = assertThrows(
                HearthException.class, () -> CapturedFunction.of(function, objects, "function given to map"));
        assertEquals("NOT_SERIALIZABLE", failure.code());
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.startsWith("function given to map at UserMistakesTest.java:"), text);
        assertTrue(
                text.contains(": captured value 2 -> UserMistakesTest$Service.connection (" + Connection.class.getName()
                        + ") is not serialisable"),
                text);
    }

    @Test
    void findsTheWayThroughRecordsMapsAndLists() {
        Settings settings = new Settings("x", Map.of("first", new ArrayList<>(List.of(new Service()))));
        HearthException failure =
                assertThrows(HearthException.class, () -> objects.write(settings, "elements given to parallelize"));
        String text = String.valueOf(failure.getMessage());
        assertTrue(
                text.contains(
                        "UserMistakesTest$Settings.services[value of first][0] -> UserMistakesTest$Service.connection"),
                text);
    }

    @Test
    void saysWhatTheUsersOwnWritingAndReadingThrew() {
        HearthException write = assertThrows(HearthException.class, () -> objects.write(new Faulty(true), "element"));
        assertEquals("NOT_SERIALIZABLE", write.code());
        assertTrue(
                String.valueOf(write.getMessage())
                        .contains(
                                "Faulty.writeObject threw java.lang.IllegalStateException: not today at UserMistakesTest.java:"),
                write.getMessage());
        Bytes bytes = objects.write(new Faulty(false), "element");
        HearthException read = assertThrows(HearthException.class, () -> objects.read(bytes, "element"));
        assertTrue(
                String.valueOf(read.getMessage())
                        .contains("Faulty.readObject threw java.io.IOException: not there either"),
                read.getMessage());
    }

    @Test
    void saysThatAChainIsTooDeep() {
        Object chain = "end";
        for (int i = 0; i < 200_000; i++) {
            chain = new Chain(chain);
        }
        Object deep = chain;
        HearthException failure = assertThrows(HearthException.class, () -> objects.write(deep, "element"));
        assertTrue(String.valueOf(failure.getMessage()).contains("nested too deep"), failure.getMessage());
    }
}

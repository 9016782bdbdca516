package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of rooms and the tree agree, so that no room escapes the rules by being forgotten. */
class RoomTableTest {
    @Test
    void everyModuleWithProductionCodeHasItsLine() {
        List<String> known = Arrays.stream(Room.values()).map(Room::directory).toList();
        List<String> unknown = Repository.modulesWithMainSources().stream()
                .filter(module -> !known.contains(module))
                .map(module -> module + ": not in the table of rooms (expected: one line); add it to Room")
                .toList();
        Findings.expectNone(unknown);
        assertTrue(Repository.modulesWithMainSources().size() > 1, "the tree was not found");
    }

    @Test
    void everySourceOfARoomIsInItsPackage() {
        List<String> strays = new ArrayList<>();
        for (Room room : Room.values()) {
            Path sources = Repository.ROOT.resolve(room.directory()).resolve("src/main/java");
            Path own = sources.resolve(room.root().replace('.', '/'));
            Repository.javaFiles().stream()
                    .filter(file -> file.startsWith(sources) && !file.startsWith(own))
                    .forEach(file -> strays.add(Repository.name(file) + ": outside " + room.root()
                            + " (expected: each room in a package of its own)"));
        }
        Findings.expectNone(strays);
    }

    @Test
    void noPackageBelongsToTwoRooms() {
        for (Room room : Room.values()) {
            List<Room> owners = Arrays.stream(Room.values())
                    .filter(other -> (room.root() + ".").startsWith(other.root() + "."))
                    .toList();
            assertEquals(List.of(room), owners, () -> "package " + room.root());
        }
    }
}

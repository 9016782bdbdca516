package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users as whom no child process can be started. */
class UserSwitchTest {
    @ParameterizedTest
    @ValueSource(strings = {"root", "no-such-user-of-hearth", "x y", "--reuid=0", ""})
    void areRefusedWithWhatToDo(String user) {
        HearthException failure = assertThrows(HearthException.class, () -> UserSwitch.to(user));
        assertEquals("BAD_SETTING", failure.code());
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("processes of user '" + user + "': "), message);
        assertTrue(message.endsWith("; or run one worker for each user, as that user"), message);
    }
}

package dev.hearth.spi.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    private static final String HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    @ParameterizedTest
    @CsvSource({
        "http://joe:pw@host/a.jar, http://(hidden)@host/a.jar",
        "https://joe@host:1/a.jar?sha256=" + HASH + ", https://(hidden)@host:1/a.jar?sha256=" + HASH,
        "https://host/a.jar?X-Amz-Signature=1&b=2#name, https://host/a.jar?(hidden)#name",
        "https://host/a@b.jar, https://host/a@b.jar",
        "/home/a.jar, /home/a.jar",
        "https://host/?sha256=" + HASH + "&token=1, https://host/?(hidden)"
    })
    void hidesUsersAndQueriesOfAddresses(String address, String shown) {
        assertEquals(shown, Secrets.shownAddress(address));
    }
}

package dev.hearth.spi.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNameTest {
    @ParameterizedTest
    @CsvSource({
        "/a/b, file, '', /a/b, /a/b",
        "/a//b/, file, '', /a/b, /a/b",
        "/a/../b, file, '', /a/../b, /a/../b",
        "/a%20b, file, '', /a%20b, /a%20b",
        "file:/a%20b, file, '', /a b, /a b",
        "FILE:///a, file, '', /a, /a",
        "file://localhost/a, file, '', /a, /a",
        "hdfs://nn:8020/a%20b/c, hdfs, nn:8020, /a b/c, hdfs://nn:8020/a b/c",
        "mem:/a/./b/../c, mem, '', /a/c, mem:///a/c",
        "mem:///../a, mem, '', /a, mem:///a",
        "S3A://bucket, s3a, bucket, /, s3a://bucket/",
        "mem:///a%2520b, mem, '', /a%20b, mem:///a%2520b",
        "mem:///100%, mem, '', /100%, mem:///100%",
        "mem:///a?b#c, mem, '', /a?b#c, mem:///a?b#c"
    })
    void parsesAndPrints(String text, String scheme, String authority, String path, String printed) {
        FileName name = FileName.parse(text);
        assertEquals(new FileName(scheme, authority, path), name);
        assertEquals(printed, name.toString());
        assertEquals(name, FileName.parse(printed));
    }

    @Test
    void leavesAddressesOfHttpServersAsTheyAre() {
        String address = "https://joe:p%40w@host:1/a%2Fb//c%20d.jar?x=a%2Bb/../c";
        FileName name = FileName.parse(address);
        assertEquals("joe:p%40w@host:1", name.authority());
        assertEquals("c%20d.jar", name.name());
        assertEquals(address, name.toString());
        assertEquals(name, FileName.parse(name.toString()));
    }

    @Test
    void knowsItsPlaceInTheTree() {
        FileName name = FileName.parse("mem://bucket/a/b");
        assertEquals("b", name.name());
        assertEquals(FileName.parse("mem://bucket/a"), name.parent().orElseThrow());
        FileName root = FileName.parse("mem://bucket");
        assertEquals(Optional.empty(), root.parent());
        assertEquals("", root.name());
        assertEquals(FileName.parse("mem://bucket/a/b"), root.child("a/b"));
        assertTrue(root.compareTo(name) < 0);
    }

    @Test
    void refusesWhatIsNoName() {
        for (String text : new String[] {"relative", "file:relative", "file://host/a", "/a\0b"}) {
            HearthException failure = assertThrows(HearthException.class, () -> FileName.parse(text));
            assertEquals("BAD_ARGUMENT", failure.code());
        }
        assertEquals(Optional.empty(), FileName.uri("hdfs:relative", FileName::decode));
    }

    @Test
    void writesUrisThatParseToTheSameName() {
        for (FileName name : List.of(FileName.local("/a b/100%25"), new FileName("hdfs", "nn:1", "/a%20b"))) {
            assertEquals(name, FileName.parse(name.uri()));
        }
        assertEquals("file:/a", FileName.local("/a").uri());
        assertEquals("hdfs://nn/", new FileName("hdfs", "nn", "/a/b").root().toString());
        assertEquals(
                Path.of("x").toAbsolutePath().toString(), FileName.resolve("x").path());
    }
}

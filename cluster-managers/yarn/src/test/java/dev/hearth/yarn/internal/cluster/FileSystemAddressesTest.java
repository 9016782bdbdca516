package dev.hearth.yarn.internal.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses on one file system or on two, as Spark's ClientSuite compares them. */
class FileSystemAddressesTest {
    @ParameterizedTest
    @CsvSource({
        "file:///file1, file:///file2, true",
        "hdfs://host:8020/a, hdfs://host:8020/b, true",
        "hdfs://HOST:8020/a, hdfs://host:8020/b, true",
        "hdfs://nameservice/a, HDFS://nameservice/b, true",
        "viewfs:///a, viewfs:///b, true",
        "viewfs://mount/a, viewfs://mount/b, true",
        "hdfs://host:8020/a, hdfs://host:8021/a, false",
        "hdfs://one:8020/a, hdfs://two:8020/a, false",
        "hdfs://host/a, webhdfs://host/a, false",
        "file:///a, hdfs:///a, false",
        "hdfs://a@host/x, hdfs://b@host/x, false",
        "hdfs://host/a, hdfs://host:8020/a, false",
        "viewfs://one/a, viewfs://two/a, false",
        "/a, /a, false"
    })
    void comparesSchemeHostAndPort(URI one, URI other, boolean expected) {
        assertEquals(expected, HadoopSession.isSame(one, other));
        assertEquals(expected, HadoopSession.isSame(other, one));
    }

    @ParameterizedTest
    @CsvSource({
        "hdfs:///a, hdfs://host:8020, hdfs://host:8020/a",
        "hdfs:/a, hdfs://host:8020, hdfs://host:8020/a",
        "hdfs://other/a, hdfs://host:8020, hdfs://other/a",
        "file:///a, hdfs://host:8020, file:///a",
        "hdfs:///a, file:///, hdfs:///a"
    })
    void completesAShortAddressByTheDefaultFileSystem(URI address, URI ofDefault, URI expected) {
        assertEquals(expected, HadoopSession.qualified(address, ofDefault));
    }
}

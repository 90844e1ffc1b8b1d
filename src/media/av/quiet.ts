import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';

// FFmpeg writes its findings about every file to standard error; ours come as failures.
Log.setLevel(AV_LOG_QUIET);
